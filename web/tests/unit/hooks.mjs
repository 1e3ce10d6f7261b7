import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Imports of the page leave `.ts` out. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && context.parentURL) {
    const source = new URL(`${specifier}.ts`, context.parentURL);
    if (existsSync(fileURLToPath(source))) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return { format: 'module', source: ts.transpileModule(text, { compilerOptions: options }).outputText, shortCircuit: true };
}
