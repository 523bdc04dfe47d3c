import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { CliContext } from './cli-context.ts';
import { CommandFailure } from './errors.ts';

/** A file to import from, or standard input. */
export interface ImportSource {
  readonly format: 'csv' | 'json' | 'xlsx';
  /** Bytes, if known in advance. */
  readonly size: number | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Opens a file, whose extension determines the format, or `-` for CSV from standard input.
 * @throws CommandFailure when it cannot be read.
 */
export async function openSource(
  file: string,
  { stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>,
): Promise<ImportSource> {
  if (file === '-') return { format: 'csv', size: undefined, bytes: addAbortSignal(signal, stdin) };
  const stats = await statFile(file);
  return {
    format: formatOf(file),
    size: stats.isFile() ? stats.size : undefined,
    bytes: readFile(file, signal),
  };
}

const formats: Readonly<Record<string, ImportSource['format']>> = {
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
};

const formatOf = (file: string): ImportSource['format'] => formats[extname(file).toLowerCase()] ?? 'csv';

/** @throws CommandFailure when there is no such file, or it is a directory. */
export async function statFile(file: string): Promise<Stats> {
  const stats = await stat(file).catch((problem: unknown) => {
    throw unreadable(file, problem);
  });
  if (stats.isDirectory()) throw new CommandFailure(`${file} is a directory, not a file.`);
  return stats;
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
  const reason = code === 'ENOENT' ? 'no such file' : code === 'EACCES' ? 'permission denied' : String(code);
  return new CommandFailure(`Cannot read ${file}: ${reason}.`, { cause: problem });
}
