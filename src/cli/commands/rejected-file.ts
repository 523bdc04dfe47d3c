import { type FileHandle, open } from 'node:fs/promises';
import { type RejectedRow, rejectedHeader, rejectedLine } from '../../academics/import-export/import/rejected-rows.ts';
import { CommandFailure } from '../errors.ts';

/** Characters per write. */
const batchLength = 65_536;

/** A CSV file of the rows that an import rejects: line, problem, and the original cells. */
export interface RejectedFile {
  readonly header: (names: readonly string[]) => void;
  readonly add: (row: RejectedRow) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const noRejectedFile: RejectedFile = {
  header: () => undefined,
  add: async () => undefined,
  close: async () => undefined,
};

/** Creates or overwrites the file. @throws CommandFailure when it cannot be written. */
export async function openRejectedFile(file: string): Promise<RejectedFile> {
  const fail = (problem: NodeJS.ErrnoException): never => {
    throw new CommandFailure(`Cannot write ${file}: ${problem.code ?? problem.message}.`, { cause: problem });
  };
  const handle: FileHandle = await open(file, 'w').catch(fail);
  let text = '';
  const flush = async (): Promise<void> => {
    const batch = text;
    text = '';
    if (batch !== '') await handle.appendFile(batch).catch(fail);
  };
  return {
    header: (names) => {
      text += rejectedHeader(names);
    },
    add: async (row) => {
      text += rejectedLine(row);
      if (text.length >= batchLength) await flush();
    },
    close: async () => {
      await flush().finally(() => handle.close());
    },
  };
}
