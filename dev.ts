// `npm run dev`: checks the types and builds pages on every change, and builds and runs what has no error. An embedded
// PostgreSQL stays up from one run to the next.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import bundle from './rolldown.config.js';
import { readConfig } from './src/config.ts';
import { openPostgres } from './src/database/open-postgres.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const stopping = new AbortController();
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());

const store = await openPostgres(readConfig(), say);
const dir = '.builds/dev';
const compiler = spawn('tsc', ['--watch', '--preserveWatchOutput'], { stdio: ['ignore', 'pipe', 'inherit'] });
// The console with hot reload, beside the one that the service serves as it was built last.
const consoleServer = spawn('npm', ['run', '--silent', '--workspace', 'console', 'dev'], { stdio: 'inherit' });
compiler.once('exit', () => stopping.abort());

let service: ChildProcess | undefined;
let restarted = Promise.resolve();
const restart = async (): Promise<void> => {
  await build({ ...bundle, output: { ...bundle.output, dir } });
  // At once: an orderly end takes half a second, and what was acknowledged is safe in any case.
  await end(service, 'SIGKILL');
  if (!stopping.signal.aborted) service = spawn(process.execPath, [`${dir}/main.js`], { stdio: 'inherit' });
};
const buildSite = async (): Promise<void> => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['build.js', 'site']);
    if (stdout !== '') await restart();
  } catch (problem) {
    say(String(problem));
  }
};
for (const folder of ['docs', 'site']) {
  watch(folder, { recursive: true, signal: stopping.signal }, (_event, name) => {
    if (!name?.startsWith('dist')) restarted = restarted.then(buildSite);
  });
}
createInterface(compiler.stdout).on('line', (line) => {
  if (line.includes('Found 0 errors')) restarted = restarted.then(restart);
  else if (line.includes('error')) say(line);
});

if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
await restarted;
await Promise.all([end(service), end(compiler), end(consoleServer)]);
await store.close();
process.exit(0);
