// `node build.js [--quiet] [step …]` builds what has changed since it was built last; with --quiet, it prints failures only.
// A step runs when its command, one of its files or a step before it has changed, or its output is missing.

import './src/node-version.js';
import { exec } from 'node:child_process';
import * as crypto from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { missingPackages } from './installed-packages.js';

/**
 * `files` are those that a step reads, but for what the steps of `after` have written; `output` is one that it writes.
 *
 * @typedef {{ command: string, files: RegExp, output: string, after?: readonly string[] }} Step
 */

/** @type {Readonly<Record<string, Step>>} */
const steps = {
  client: {
    command: 'NODE_OPTIONS=--require=./prisma/without-unused.cjs prisma generate',
    files: /^prisma[./]/,
    output: 'src/generated/prisma/client.ts',
  },
  documents: {
    command: 'tsx codegen.ts',
    files: /^(schema|(examples\/(copy|dashboard|oeapi)|console\/src)\/.*)\.graphql$|^codegen\.ts$/,
    output: 'examples/copy/generated/operations.ts',
  },
  console: {
    command: 'vite build console --logLevel warn',
    files: /^(console|site\/public)\/|^licenses\/.*\.js$|^examples\/university\.csv$|^tsconfig\.json$/,
    output: 'console/dist/index.html',
    after: ['documents'],
  },
  site: {
    command: 'tsx site/build.ts',
    files: /^(site|docs)\/|^(openapi|package)\.json$|^schema\.graphql$|^prisma\/schema\.prisma$/,
    output: 'site/dist/index.html',
  },
  service: {
    command: 'rolldown --config',
    files: /^(src|packages)\/|^licenses\/.*\.js$|^tsconfig\.json$|^rolldown\.config\.js$/,
    output: 'dist/main.js',
    after: ['client'],
  },
  licenses: {
    command: 'tsx licenses/build.ts',
    files: /^licenses\/|^package\.json$/,
    output: 'licenses/dist/sbom.cdx.json',
    after: ['console', 'service'],
  },
};

const folders = ['.', 'console', 'docs', 'examples', 'licenses', 'packages', 'prisma', 'site', 'src'];
const record = '.builds/fingerprints.json';
const isGenerated = /(^|\/)(dist|generated|node_modules)$|\.generated\.ts$/;

/** @param {string} name @returns {string[]} */
function filesBelow(name) {
  return readdirSync(name, { withFileTypes: true }).flatMap((entry) => {
    const inner = name === '.' ? entry.name : `${name}/${entry.name}`;
    if (!entry.isDirectory()) return isGenerated.test(inner) ? [] : [inner];
    return name === '.' || isGenerated.test(inner) ? [] : filesBelow(inner);
  });
}

// npm writes it last.
if (!existsSync('node_modules/.package-lock.json')) {
  process.stderr.write('The packages are not installed, or not all of them: run `npm ci`.\n');
  process.exit(1);
}
const missing = [...new Set(missingPackages())];
if (missing.length > 0) {
  process.stderr.write(
    `These packages did not arrive when npm installed: ${missing.join(', ')}. Run \`npm ci\` again.\n`,
  );
  process.exit(1);
}

const isQuiet = process.argv[2] === '--quiet';
const named = process.argv.slice(isQuiet ? 3 : 2);
const chosen = new Set(named.length > 0 ? named : Object.keys(steps));
// A name that is added while the set is iterated is visited too.
for (const name of chosen) for (const before of steps[name]?.after ?? []) chosen.add(before);

const files = folders.filter((folder) => existsSync(folder)).flatMap(filesBelow);
/** @type {Record<string, string>} */
const built = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
/** @param {string} line */
const tell = (line) => isQuiet || process.stdout.write(`${line}\n`);
if (Object.keys(built).length === 0)
  tell('Builds everything, once: a quarter of a minute, more where there is little processor time.');
const save = () => writeFileSync(record, JSON.stringify(built));
/** @type {[Record<string, string>, Record<string, Promise<void>>]} */
const [fingerprints, runs] = [{}, {}];
mkdirSync('.builds', { recursive: true });

for (const [name, { command, files: read, output, after = [] }] of Object.entries(steps)) {
  const own = files.filter((file) => read.test(file) || file === 'package-lock.json');
  // Of the contents at the start: what changes during the build is built by the next.
  const contents = own.map((file) => `${file} ${crypto.hash('sha256', readFileSync(file))}`);
  const fingerprint = crypto.hash(
    'sha256',
    [command, ...contents, ...after.map((one) => fingerprints[one])].join('\n'),
  );
  fingerprints[name] = fingerprint;
  if (!chosen.has(name) || (built[name] === fingerprint && existsSync(output))) continue;
  runs[name] = Promise.all(after.map((one) => runs[one])).then(async () => {
    const began = performance.now();
    delete built[name];
    save();
    await promisify(exec)(`export PATH="$PWD/node_modules/.bin:$PATH"; ${command}`, { maxBuffer: 1e8 });
    built[name] = fingerprint;
    save();
    tell(`build: ${name}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  });
}

const results = await Promise.allSettled(Object.values(runs));
// One step that fails fails those after it.
const problems = new Set(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
for (const { message, stdout } of problems) process.stderr.write(`${message}\n${stdout}`);
if (problems.size > 0) process.exitCode = 1;
