import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { CliContext } from './cli-context.ts';
import { CommandFailure } from './errors.ts';

/** A file to import from, or standard input. */
export interface Source {
  readonly format: 'csv' | 'json';
  /** Bytes, when that is known before. */
  readonly size: number | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Opens what a command names: a file, whose ending tells its format, or `-` for CSV on standard input.
 *
 * @throws CommandFailure when it cannot be read.
 */
export async function openSource(
  file: string,
  { stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>,
): Promise<Source> {
  if (file === '-') return { format: 'csv', size: undefined, bytes: addAbortSignal(signal, stdin) };
  const found = await stat(file).catch((problem: NodeJS.ErrnoException) => {
    throw unreadable(file, problem);
  });
  if (found.isDirectory()) throw new CommandFailure(`${file} is a directory, not a file.`);
  return {
    format: file.toLowerCase().endsWith('.json') ? 'json' : 'csv',
    size: found.isFile() ? found.size : undefined,
    bytes: readFile(file, signal),
  };
}

async function* readFile(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stream: Readable = createReadStream(file, { signal });
  try {
    yield* stream;
  } catch (problem) {
    if (signal.aborted) throw problem;
    throw unreadable(file, problem);
  }
}

function unreadable(file: string, problem: unknown): CommandFailure {
  const code = problem instanceof Error && 'code' in problem ? problem.code : undefined;
  const reason = code === 'ENOENT' ? 'There is no such file' : code === 'EACCES' ? 'Permission denied' : String(code);
  return new CommandFailure(`${file} cannot be read: ${reason}.`, { cause: problem });
}
