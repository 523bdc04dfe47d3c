import { defaultStringifySearch } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import { deviceStorage } from '../browser/storage.ts';
import type { Search } from '../lists/list-filter.ts';
import type { SaveViewInput } from './documents.generated.ts';

/** The columns of each list, stored on this device. */
const storageName = 'academic-structure-lists';

const keptList = z.object({ columns: z.optional(z.string()) });

export const listNames = { PROGRAM: 'programs', BRANCH: 'branches' } as const;
export type ListName = (typeof listNames)[keyof typeof listNames];

function readAll(): Record<string, z.infer<typeof keptList>> {
  try {
    return z.record(z.string(), keptList).parse(JSON.parse(deviceStorage.read(storageName) ?? '{}'));
  } catch {
    return {};
  }
}

/** The columns that a list shows: those of its address, else those stored on this device. */
export const chosenColumns = (list: ListName, { columns }: { readonly columns?: string | undefined }) =>
  columns ?? readAll()[list]?.columns;

export function useKeptColumns(list: ListName) {
  const [columns, setColumns] = useState(() => readAll()[list]?.columns);
  const keep = (next: string | undefined): void => {
    setColumns(next);
    deviceStorage.write(storageName, JSON.stringify({ ...readAll(), [list]: { columns: next } }));
  };
  return { columns, keep };
}

export const viewListOf = { programs: 'PROGRAMS', branches: 'BRANCHES' } as const satisfies Record<
  ListName,
  SaveViewInput['list']
>;

/** The parameters of a search in an address: `q=physics`. */
export const addressOf = (search: Search): string => defaultStringifySearch({ ...search }).replace(/^\?/, '');
