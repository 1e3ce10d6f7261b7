// Short names for the types of this game.
import type { Schemas } from '../../api/model';

export type CommandFace = Schemas['CommandFace'];
export type TroopFace = Schemas['TroopFace'];
