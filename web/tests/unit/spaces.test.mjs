// Svelte drops white space at the edges of an element or block: a word written there with a space
// before it stands without one on the page, and readers of the page hear two words as one.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { parse } from 'svelte/compiler';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
/** Nothing stands beside them on their line. */
const BLOCKS = /^(p|div|li|ul|ol|h[1-6]|section|main|header|label|button|td|th|tr|option|summary|details|legend|pre|dialog|svelte:head|title)$/;

/** Every list of nodes with the name of what holds it. */
function* fragments(node, holder = '') {
  if (!node || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) yield* fragments(one, holder);
    return;
  }
  if (node.type === 'Fragment') yield { holder, nodes: node.nodes };
  const name = node.type === 'Fragment' ? holder : (node.name ?? node.type ?? holder);
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'attributes' && key !== 'expression' && key !== 'css') yield* fragments(value, typeof name === 'string' ? name : holder);
  }
}

test('no space that is written is lost at an edge', () => {
  const lost = [];
  for (const file of readdirSync(SOURCES, { recursive: true }).filter((name) => name.endsWith('.svelte'))) {
    const { fragment } = parse(readFileSync(join(SOURCES, file), 'utf8'), { modern: true });
    for (const { holder, nodes } of fragments(fragment, 'root')) {
      if (BLOCKS.test(holder)) continue;
      const [first, last] = [nodes[0], nodes.at(-1)];
      // A break of the line is layout of the source; a space on the line is meant.
      if (first?.type === 'Text' && /^ +([^\s]|$)/.test(first.data)) lost.push(`${file}: before '${first.data.trim()}'`);
      if (last?.type === 'Text' && /(^|[^\s]) +$/.test(last.data)) lost.push(`${file}: after '${last.data.trim()}'`);
    }
  }
  assert.deepEqual(lost, []);
});
