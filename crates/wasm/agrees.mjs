// Asks the module for WebAssembly what the native program was asked, and compares answers letter for letter.
//   node crates/wasm/agrees.mjs MODULE.wasm QUESTIONS ANSWERS
import { readFileSync } from 'node:fs';

const [module, questions, answers] = process.argv.slice(2);
const lines = (file) => readFileSync(file, 'utf8').trim().split('\n');
const host = { now: () => performance.now() };
const { instance } = await WebAssembly.instantiate(readFileSync(module), { host });
const { memory, room, answer, done } = instance.exports;

function ask(question) {
  const bytes = new TextEncoder().encode(question);
  const place = room(bytes.length);
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const told = answer(place, bytes.length);
  const length = new DataView(memory.buffer).getUint32(told, true);
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, told + 4, length));
  done(told, length + 4);
  return text;
}

const expected = lines(answers);
let differing = 0;
for (const [number, question] of lines(questions).entries()) {
  const began = performance.now();
  const found = ask(question);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const same = found === expected[number];
  console.log(`${same ? 'same' : 'DIFFERENT'}  ${seconds} s  ${question}`);
  if (!same) {
    differing += 1;
    console.log(`  native: ${expected[number]?.slice(0, 2000)}\n  wasm:   ${found.slice(0, 2000)}`);
  }
}
console.log(`${expected.length - differing} answers agree, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);
