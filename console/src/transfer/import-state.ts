import { useSyncExternalStore } from 'react';
import type { Report } from '../api/import-report.ts';
import { createListeners } from '../browser/listeners.ts';
import type { FileHead, ImportOptions, ImportRequest } from './import-file.ts';

/** A file, how it is read, and the columns to import. Its head is `null` until it has been read. */
export type Plan = Pick<ImportRequest, 'file' | 'reading' | 'columns'> & { readonly head: FileHead | null };

export type Task = 'read' | 'check' | 'import';

/** What is chosen, and what was said of it: kept while one is on other screens, as an import goes on meanwhile. */
interface ImportState {
  readonly plan: Plan | null;
  readonly options: ImportOptions;
  /** The problem, if it is a text. */
  readonly result: Report | string | null;
  readonly running: Task | null;
  /** How long the last check took, by which an import is estimated. */
  readonly checkedMs: number | null;
  /** Whether others have changed the catalog since the file was checked: it is checked again, and not imported. */
  readonly isOvertaken: boolean;
  /** Whether the file was saved again, moved or deleted since it was read. */
  readonly isStale: boolean;
}

const initial: ImportState = {
  plan: null,
  options: {
    updates: false,
    skips: false,
    fillsDown: false,
    skipsHidden: false,
    renames: false,
    isWhole: false,
    keep: [],
  },
  result: null,
  running: null,
  checkedMs: null,
  isOvertaken: false,
  isStale: false,
};

const changes = createListeners();
type User = string | null;

/** By user: the next one in this tab sees none of it. */
const states = new Map<User, ImportState>();

export const importOf = (user: User): ImportState => states.get(user) ?? initial;

export function changeImport(user: User, changed: Partial<ImportState>): void {
  states.set(user, { ...importOf(user), ...changed });
  changes.notify();
}

export const useImportState = (user: User): ImportState => useSyncExternalStore(changes.listen, () => importOf(user));

const isAny = (test: (state: ImportState) => boolean): boolean => [...states.values()].some(test);

/** Whether this tab imports a file. */
export const useIsImporting = (): boolean =>
  useSyncExternalStore(changes.listen, () => isAny(({ running }) => running === 'import'));

/** Whether a report is the one that the screen of imports shows. */
export const useIsShown = (report: Report): boolean =>
  useSyncExternalStore(changes.listen, () => isAny(({ result }) => result === report));
