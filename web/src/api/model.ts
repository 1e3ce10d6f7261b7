// Short names for the types that the server's description generates.
import type { components } from './types';

type Schemas = components['schemas'];

export type AgentCard = Schemas['AgentCard'];
export type Answer = Schemas['Answer'];
export type CardFace = Schemas['CardFace'];
export type Catalog = Schemas['Catalog'];
export type Choice = Schemas['Choice'];
export type CommandFace = Schemas['CommandFace'];
export type Effect = Schemas['Effect'];
export type GameCard = Schemas['GameCard'];
export type GameList = Schemas['GameList'];
export type GameState = Schemas['GameState'];
export type GameSummary = Schemas['GameSummary'];
export type Geometry = Schemas['Geometry'];
export type Hint = Schemas['Hint'];
export type ImportAnswer = Schemas['ImportAnswer'];
export type ImportRequest = Schemas['ImportRequest'];
export type LevelCard = Schemas['LevelCard'];
export type LoadoutCard = Schemas['LoadoutCard'];
export type LoadoutRequest = Schemas['LoadoutRequest'];
export type LordsSide = Schemas['LordsSide'];
export type NewGame = Schemas['NewGame'];
export type Overlay = Schemas['Overlay'];
export type ParamCard = Schemas['ParamCard'];
export type Placed = Schemas['Placed'];
export type Player = Schemas['Player'];
export type Ply = Schemas['Ply'];
export type Request = Schemas['Request'];
export type SavedLoadout = Schemas['SavedLoadout'];
export type SavedLoadouts = Schemas['SavedLoadouts'];
export type Scene = Schemas['Scene'];
export type SetupCard = Schemas['SetupCard'];
export type Thought = Schemas['Thought'];
export type TroopFace = Schemas['TroopFace'];

type DetailOf<Name extends string> = Extract<Scene['detail'], { game: Name }>;
export type ConquestDetail = DetailOf<'conquest'>;
export type LordsDetail = DetailOf<'lords-of-war'>;
export type BoardCard = Schemas['BoardCard'];
