import { configWarnings, readConfig } from '../config.ts';
import { runCommandLine } from './command-line.ts';
import { Interrupted } from './errors.ts';

/** Exit codes of a process that was told to stop: 128 and the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

const stopping = new AbortController();

/** While a program has the terminal, Ctrl-C is meant for it. */
let interruptsLeft = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const onSignal = (): void => {
    if (signal === 'SIGINT' && interruptsLeft) return;
    // A second signal ends the process at once, and the database undoes what was not finished.
    process.off(signal, onSignal);
    stopping.abort(new Interrupted('Stopped.', exitCodes[signal]));
  };
  process.on(signal, onSignal);
}

// Whoever reads our output has enough: `export | head` is not a failure.
process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
  stopping.abort(
    problem.code === 'EPIPE' ? new Interrupted('', 0) : new Interrupted(`Cannot write: ${problem.message}`, 1),
  );
});

const exitCode = await runCommandLine(process.argv.slice(2), {
  readConfig: () => {
    const config = readConfig();
    for (const warning of configWarnings()) process.stderr.write(`${warning}\n`);
    return config;
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stopping.signal,
  leaveInterrupts: async (work) => {
    interruptsLeft = true;
    try {
      return await work();
    } finally {
      interruptsLeft = false;
    }
  },
});

// Everything of ours is closed; what standard input still holds open is no reason to stay.
process.stdout.write('', () => process.exit(exitCode));
