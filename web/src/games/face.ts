// What the page may know of one game. Everything but its name is optional: a game without a face, and
// a face without a part, is shown in the words that all games share. What is not needed to play is a
// promise, loaded when somebody goes there.
import type { Component } from 'svelte';
import type { GameCard, Geometry, LoadoutCard, Piece, Placed, Scene, SetupCard } from '../api/model';
import type { Pointing } from '../lib/targets';
import type { Table } from '../play/table.svelte';

export interface PieceProps {
  placed: Placed;
  /** The board is seen from the other side. */
  turned: boolean;
}

/** What a game is shown by while it is played. */
export interface PanelProps {
  table: Table;
  /** The position on the board, which may be one of the past. */
  scene: Scene;
  /** The seat at the lower edge. */
  below: number;
  /** Targets that are advised. */
  hinted: string[];
}

export interface SeatProps extends PanelProps {
  seat: number;
  turned: boolean;
  /** Somebody looks at a piece that is not on the board, or no more. */
  onlook: (piece: Piece | null) => void;
}

export interface EditorProps {
  game: GameCard;
  /** What the server reads in the text; nothing while it is refused. */
  scene: Scene | null;
  text: string;
}

export interface LoadoutsProps {
  game: GameCard;
  setup: SetupCard;
}

/** A part of the rules in short, with a fixed picture; nothing in it is worked out. */
export interface RuleStep {
  title: string;
  words: string[];
  figure?: { geometry: Geometry; scene: Scene; last?: number[]; pointing?: Pointing };
}

/** A form in which games are written besides our own record. */
export interface GameFormat {
  /** As the server calls it. */
  format: string;
  name: string;
  /** What a text in this form is: `A transcript`. */
  words: string;
  /** The ending of its files. */
  end: string;
}

export interface GameFace {
  /** As the catalog calls the game. */
  name: string;
  /** A small picture of its board, in 320 by 180. */
  Emblem?: Component;
  /** A piece on its square; without it, a token with a letter. */
  Piece?: Component<PieceProps>;
  cloth?: 'green' | 'plain' | 'cloth';
  /** Seats are marked by a black and a white disc, not by the colours of seats. */
  discs?: boolean;
  /** How large a screen the board is laid out for, in pixels. */
  room?: {
    /** The least width of the board. */
    width: number;
    /** What stands above and below the board. */
    height: number;
  };
  /** Pieces that would stand where the choice that waits puts them. */
  ghosts?: (scene: Scene, pointing: Pointing, acting: number) => Placed[];
  /** What is counted for a seat beside its name. */
  tally?: { what: string; of: (scene: Scene, seat: number) => number | null };
  /** What a seat holds, between its name and the board. */
  Seat?: Component<SeatProps>;
  /** What both sides can use besides pieces, beside the board. */
  Panel?: Component<PanelProps>;
  /** What the piece is that somebody looks at; `null` before anybody does. */
  Info?: Component<{ piece: Piece | null }>;
  /** The rules in short. */
  rules?: RuleStep[];
  /** Titles of lenses, by name. */
  lenses?: () => Promise<Record<string, string>>;
  formats?: GameFormat[];
  /** What is told of the import of those forms, with marks as in the guide, and an example of a text. */
  imports?: { words: string; example: string };
  /** A position by hand. */
  editor?: {
    Editor: Component<EditorProps, object, 'text'>;
    /** The first text; without it the usual start is asked for, and offered. */
    start?: string;
    /** Lines that the text needs. */
    lines?: number;
  };
  /** What seats bring, where that is put together by hand. */
  loadouts?: {
    builder: () => Promise<{ default: Component<LoadoutsProps> }>;
    words: (card: LoadoutCard, setup: SetupCard) => string;
    /** Such a text. */
    example: string;
  };
}
