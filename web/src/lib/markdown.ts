// Markdown of the rules and the guide, as data: headings, lists, tables, code, bold and links. The page draws these
// with its own elements and never as markup, so a text can show nothing but text.

export type Span =
  | { kind: 'text' | 'bold' | 'italic' | 'code'; text: string }
  | { kind: 'link'; text: string; address: string }
  | { kind: 'page'; text: string; address: string };

export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Item[] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string };

export interface Item {
  spans: Span[];
  inner: Block[];
}

const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Another page or file beside this one: `first-experiment.md`, `/new/game`. */
const LOCAL = /^(?:\.?\/)?[\w\-/.]*(?:#[\w-]*)?$/;
const plain = (text: string) => text.replace(/[`*]/g, '');

export function spans(text: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    const [all, code, bold, italic, linked, address] = match;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (bold !== undefined) found.push({ kind: 'bold', text: bold });
    else if (italic !== undefined) found.push({ kind: 'italic', text: italic });
    else if (/^https?:\/\//.test(address)) found.push({ kind: 'link', text: plain(linked), address });
    else if (LOCAL.test(address)) found.push({ kind: 'page', text: plain(linked), address });
    else found.push({ kind: 'text', text: linked });
    at = match.index + all.length;
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}

const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;
const isTableLine = (line: string) => line.trimStart().startsWith('|');
const cells = (line: string) =>
  line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => spans(cell.trim().replaceAll('\\|', '|')));

export function blocks(text: string): Block[] {
  return read(text.replaceAll('\r', '').split('\n'));
}

function read(lines: string[]): Block[] {
  const found: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    // Comments mark the tables that a program writes.
    if (line.trim() === '' || /^<!--.*-->$/.test(line)) {
      at += 1;
    } else if (line.trimStart().startsWith('```')) {
      const end = lines.findIndex((other, index) => index > at && other.trimStart().startsWith('```'));
      const last = end < 0 ? lines.length : end;
      found.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') });
      at = last + 1;
    } else if (heading) {
      found.push({ kind: 'heading', level: heading[1].length, spans: spans(heading[2]) });
      at += 1;
    } else if (isTableLine(line)) {
      const end = runEnd(lines, at, isTableLine);
      const [head, , ...rows] = lines.slice(at, end);
      found.push({ kind: 'table', head: cells(head), rows: rows.map(cells) });
      at = end;
    } else if (ITEM.test(line)) {
      const end = listEnd(lines, at);
      found.push(list(lines.slice(at, end)));
      at = end;
    } else {
      const end = runEnd(lines, at, (other) =>
        other.trim() !== '' && !ITEM.test(other) && !isTableLine(other) && !/^(#|```)/.test(other.trimStart()));
      const last = Math.max(end, at + 1);
      found.push({ kind: 'paragraph', spans: spans(lines.slice(at, last).map((other) => other.trim()).join(' ')) });
      at = last;
    }
  }
  return found;
}

function runEnd(lines: string[], from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end])) end += 1;
  return end;
}

/** A list goes on through indented lines, further items, and blank lines before either. */
function listEnd(lines: string[], from: number): number {
  let end = from;
  while (end < lines.length) {
    const goesOn = (line: string | undefined) => line !== undefined && (ITEM.test(line) || /^\s+\S/.test(line));
    if (goesOn(lines[end])) end += 1;
    else if (lines[end].trim() === '' && goesOn(lines[end + 1])) end += 1;
    else break;
  }
  return end;
}

function list(lines: string[]): Block {
  const first = ITEM.exec(lines[0]);
  const depth = first?.[1].length ?? 0;
  const ordered = /\d/.test(first?.[2] ?? '');
  const items: { words: string[]; inner: string[] }[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    const current = items.at(-1);
    if (item && item[1].length <= depth) items.push({ words: [item[3]], inner: [] });
    else if (current && (item || current.inner.length > 0)) current.inner.push(line);
    else current?.words.push(line.trim());
  }
  return {
    kind: 'list', ordered, start: Number.parseInt(first?.[2] ?? '1', 10) || 1,
    items: items.map(({ words, inner }) => ({ spans: spans(words.join(' ').trim()), inner: read(outdent(inner)) })),
  };
}

function outdent(lines: string[]): string[] {
  const depth = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  return Number.isFinite(depth) ? lines.map((line) => line.slice(depth)) : lines;
}
