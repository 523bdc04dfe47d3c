import { type Config, configWarnings, readConfig } from '../config.ts';
import { runCommandLine } from './command-line.ts';
import { Interrupted } from './errors.ts';

/** Exit codes of a terminated process: 128 and the number of the signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Time to end after a second signal; a third ends the process at once. */
const leaveWithinMs = 1_000;

const stopping = new AbortController();

/** True while a child process has the terminal and handles Ctrl-C. */
let interruptsIgnored = false;

let config: Config | undefined;

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  const onSignal = (): void => {
    if (signal === 'SIGINT' && interruptsIgnored) return;
    // A second signal ends the process at once; the database rolls back. An embedded PostgreSQL has the time to stop.
    if (stopping.signal.aborted) {
      process.off(signal, onSignal);
      setTimeout(() => process.exit(exitCodes[signal]), leaveWithinMs).unref();
    }
    stopping.abort(new Interrupted('Interrupted.', exitCodes[signal]));
  };
  process.on(signal, onSignal);
}

let notWritten: Interrupted | undefined;

// The reader may close the pipe: `export | head` is no failure.
process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
  notWritten ??=
    problem.code === 'EPIPE' ? new Interrupted('', 0) : new Interrupted(`Cannot write: ${problem.message}`, 1);
  stopping.abort(notWritten);
});

const exitCode = await runCommandLine(process.argv.slice(2), {
  readConfig: () => {
    if (config === undefined) {
      config = readConfig();
      for (const warning of configWarnings()) process.stderr.write(`${warning}\n`);
    }
    return config;
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stopping.signal,
  ignoreInterrupts: async (work) => {
    interruptsIgnored = true;
    try {
      return await work();
    } finally {
      interruptsIgnored = false;
    }
  },
});

// An open standard input would keep the process alive.
process.stdout.write('', () => setImmediate(end));

/** Lost output is a failure: it may be a key that is shown once. */
function end(): void {
  const failure = exitCode === 0 && notWritten?.exitCode !== 0 ? notWritten : undefined;
  if (failure !== undefined) process.stderr.write(`${failure.message}\n`);
  process.exit(failure?.exitCode ?? exitCode);
}
