// Builds what has changed; with --quiet, it prints a failed build only. wireit compares the contents of files; here their
// times tell in a fifth of that time that there is nothing to compare.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const inputs = [
  'src',
  'console',
  'public/theme.css',
  'prisma',
  'schema.graphql',
  'generate-documents.js',
  'prisma.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const output = 'dist';
/** What a build writes among its inputs. */
const generated = /(?:^src\/generated|^console\/dist)\/|\.generated\.ts /;
const record = path.join('.wireit', 'times.json');

/**
 * The files below a path with their sizes and times.
 *
 * @param {string} name
 * @returns {string[]}
 */
function filesOf(name) {
  const status = statSync(name, { throwIfNoEntry: false });
  if (status === undefined) return [`${name} is missing`];
  if (status.isFile()) return [`${name} ${status.size} ${status.mtimeMs}`];
  const names = readdirSync(name).filter((inner) => inner !== 'node_modules');
  return names.flatMap((inner) => filesOf(`${name}/${inner}`));
}

const sources = () => String(inputs.flatMap(filesOf).filter((line) => !generated.test(line)));
const all = () => JSON.stringify([...inputs, output].flatMap(filesOf));

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
