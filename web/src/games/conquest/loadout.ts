// A loadout as squares, and its text `@ROW/ROW/ROW+Command,Command`, front row first.
import type { LoadoutCard, SetupCard } from '../../api/model';
import { counted } from '../../lib/format';

export interface Layout {
  columns: number;
  rows: number;
  /** Letters by `row × columns + column`; row 0 is the front. */
  squares: (string | null)[];
  commands: string[];
}

export function emptyLayout(columns: number, rows: number): Layout {
  return { columns, rows, squares: Array.from({ length: columns * rows }, () => null), commands: [] };
}

export function layoutText(layout: Layout): string {
  const lines = Array.from({ length: layout.rows }, (_, row) =>
    layout.squares
      .slice(row * layout.columns, (row + 1) * layout.columns)
      .map((troop) => troop ?? '.')
      .join('')
      .replace(/\.+$/, ''));
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const commands = layout.commands.length > 0 ? `+${layout.commands.join(',')}` : '';
  return `@${lines.map((line) => line || '.').join('/')}${commands}`;
}

export function layoutOf(card: LoadoutCard, columns: number, rows: number): Layout {
  const layout = emptyLayout(columns, rows);
  for (const { troop, column, row } of card.slots) layout.squares[row * columns + column] = troop;
  return { ...layout, commands: [...card.commands] };
}

/** Another form of the text, as people write it. */
export const EXAMPLE = '3C,2S+Charge,BattleCry';

/** `1 Champion, 8 Scouts; Battle Cry, Charge`. */
export function loadoutWords({ slots, commands }: LoadoutCard, setup: SetupCard): string {
  const troops = setup.troops.map(({ id, name }) => ({ name, many: slots.filter(({ troop }) => troop === id).length }));
  const orders = setup.commands.filter(({ id }) => commands.includes(id)).map(({ name }) => name);
  return [troops.filter(({ many }) => many > 0).map(({ name, many }) => counted(many, name)), orders]
    .filter((part) => part.length > 0).map((part) => part.join(', ')).join('; ');
}
