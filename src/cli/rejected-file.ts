import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import type { RejectedRow } from '../transfer/import-catalog.ts';
import { CommandFailure } from './errors.ts';

/** Characters that are written at a time. */
const batchLength = 65_536;

/** A CSV file of the rows that an import leaves out: where each was, why, and the row as it stood there. */
export interface RejectedFile {
  readonly header: (names: readonly string[]) => void;
  readonly add: (row: RejectedRow) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** For an import whose rejected rows nobody wants. */
export const noRejectedFile: RejectedFile = {
  header: () => undefined,
  add: async () => undefined,
  close: async () => undefined,
};

/**
 * Opens one, in place of what is there.
 *
 * @throws CommandFailure when it cannot be written.
 */
export async function openRejectedFile(file: string): Promise<RejectedFile> {
  const failing = (problem: NodeJS.ErrnoException): never => {
    throw new CommandFailure(`${file} cannot be written: ${problem.code ?? problem.message}.`, { cause: problem });
  };
  const handle: FileHandle = await open(file, 'w').catch(failing);
  let text = '';
  const flush = async (): Promise<void> => {
    const batch = text;
    text = '';
    if (batch !== '') await handle.appendFile(batch).catch(failing);
  };
  return {
    header: (names) => {
      text += stringify([['line', 'problem', ...names]]);
    },
    add: async ({ line, texts, problems }) => {
      text += stringify([[line, problems.map(({ message }) => message).join(' '), ...texts]]);
      if (text.length >= batchLength) await flush();
    },
    close: async () => {
      await flush().finally(() => handle.close());
    },
  };
}
