import { PassThrough, Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { parseConfig } from '../../src/config.ts';

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string | Buffer;
  /** Whether standard output and standard error are a terminal. */
  readonly terminal?: boolean;
  /** Gets standard output, of a file that is not text. */
  readonly onBytes?: (bytes: Buffer) => void;
  readonly onLog?: (line: Readonly<Record<string, unknown>>) => void;
}

/** The result of a command. */
export interface Run {
  readonly exitCode: number;
  readonly out: string;
  /** Without the log lines. */
  readonly err: string;
}

/** Runs one command in this process against a database. */
export async function runCommand(
  databaseUrl: string,
  words: readonly string[],
  { env = {}, input = '', terminal = false, onBytes = () => undefined, onLog = () => undefined }: RunOptions = {},
): Promise<Run> {
  const [stdout, stderr] = [collector(), collector()];
  const exitCode = await runCommandLine(words, {
    readConfig: () => parseConfig({ DATABASE_URL: databaseUrl, ...env }),
    stdin: input === '' ? new PassThrough() : Readable.from([Buffer.from(input)]),
    stdout: Object.assign(stdout.stream, { isTTY: terminal }),
    stderr: Object.assign(stderr.stream, { isTTY: terminal }),
    signal: new AbortController().signal,
    ignoreInterrupts: (work) => work(),
  });
  onBytes(stdout.bytes());
  const lines = stderr
    .bytes()
    .toString()
    .split(/(?<=\n)/);
  const isLogged = (line: string): boolean => line.startsWith('{"level"');
  for (const line of lines.filter(isLogged)) onLog(JSON.parse(line));
  return { exitCode, out: stdout.bytes().toString(), err: lines.filter((line) => !isLogged(line)).join('') };
}

function collector(): { stream: Writable; bytes: () => Buffer } {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      parts.push(chunk);
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(parts) };
}
