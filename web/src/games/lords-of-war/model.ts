// Short names for the types of this game.
import type { Schemas } from '../../api/model';

export type CardFace = Schemas['CardFace'];
export type LordsSide = Schemas['LordsSide'];
