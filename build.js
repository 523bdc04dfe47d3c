// Builds what has changed; with --quiet, it prints a failed build only. wireit compares the contents of files; here the
// times of the same files tell in a fifth of that time that there is nothing to compare.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const record = path.join('.wireit', 'times.json');
/** The wildcards of wireit's patterns that are used here, as regular expressions. */
const wildcards = new Map([
  ['**/', '(?:.*/)?'],
  ['**', '.*'],
  ['*', '[^/]*'],
]);

/** @type {{ wireit: Record<string, { dependencies?: string[], files?: string[], output?: string[] }> }} */
const { wireit } = JSON.parse(readFileSync('package.json', 'utf8'));
// A name that is added while the set is iterated is visited too.
const names = new Set(['build']);
for (const name of names) for (const dependency of wireit[name]?.dependencies ?? []) names.add(dependency);
const scripts = [...names].map((name) => wireit[name] ?? {});
/** @param {'files' | 'output'} kind */
const patternsOf = (kind) =>
  scripts.flatMap((script) => script[kind] ?? []).filter((pattern) => !pattern.startsWith('!'));
// What a script excludes is the output of another, and so is compared too.
const inputs = ['package.json', ...patternsOf('files')];
const outputs = patternsOf('output');
const generated = outputs.map(regexOf);

/**
 * Matches the names of a pattern, and what is below them.
 *
 * @param {string} pattern
 */
function regexOf(pattern) {
  if (/[?[\]{}]|^[*./]/.test(pattern)) throw new Error(`build.js does not read the pattern ${pattern} of wireit.`);
  const parts = pattern
    .split(/(\*\*\/|\*\*?)/)
    .map((part) => wildcards.get(part) ?? part.replace(/[.+^$()|]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}

/**
 * The files of a pattern with their sizes and times.
 *
 * @param {string} pattern
 */
function filesOf(pattern) {
  const matches = regexOf(pattern);
  const [start = ''] = pattern.split(/\/?[^/]*\*/);
  return filesBelow(start).filter(([name]) => matches.test(name));
}

/**
 * @param {string} name
 * @returns {[name: string, ...state: (string | number)[]][]}
 */
function filesBelow(name) {
  const status = statSync(name, { throwIfNoEntry: false });
  if (status === undefined) return [[name, 'missing']];
  if (status.isFile()) return [[name, status.size, status.mtimeMs]];
  return readdirSync(name).flatMap((inner) => filesBelow(`${name}/${inner}`));
}

const all = () => JSON.stringify([...inputs, ...outputs].flatMap(filesOf));
const sources = () =>
  JSON.stringify(inputs.flatMap(filesOf).filter(([name]) => !generated.some((output) => output.test(name))));

/** @returns {string | undefined} */
function recorded() {
  try {
    return readFileSync(record, 'utf8');
  } catch {
    return undefined;
  }
}

if (recorded() !== all()) {
  rmSync(record, { force: true });
  const before = sources();
  const isQuiet = process.argv.includes('--quiet');
  const stdio = isQuiet ? 'pipe' : 'inherit';
  const { error, status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8', stdio });
  if (error !== undefined) throw error;
  if (status !== 0) {
    if (isQuiet) process.stderr.write(stdout + stderr);
    process.exit(1);
  }
  // Not when something has changed meanwhile.
  if (before === sources()) {
    mkdirSync(path.dirname(record), { recursive: true });
    writeFileSync(record, all());
  }
}
