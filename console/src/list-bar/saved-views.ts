import { defaultStringifySearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import * as z from 'zod/mini';
import type { SaveViewInput } from './documents.generated.ts';
import { SaveViewDocument } from './documents.generated.ts';
import type { Search } from './list-filter.ts';

/** The columns of each list, stored on this device; older versions stored views there, too. */
const storageName = 'academic-structure-lists';

const view = z.object({ name: z.string(), search: z.record(z.string(), z.unknown()) });
const keptList = z.object({ columns: z.optional(z.string()), views: z.optional(z.array(view)) });

type KeptList = z.infer<typeof keptList>;
export const listNames = { PROGRAM: 'programs', BRANCH: 'branches' } as const;
export type ListName = (typeof listNames)[keyof typeof listNames];

function readAll(): Record<string, KeptList> {
  try {
    return z.record(z.string(), keptList).parse(JSON.parse(localStorage.getItem(storageName) ?? '{}'));
  } catch {
    return {};
  }
}

function keepList(list: ListName, changes: Partial<KeptList>): KeptList {
  const next = { ...readAll()[list], ...changes };
  try {
    localStorage.setItem(storageName, JSON.stringify({ ...readAll(), [list]: next }));
  } catch {
    // The storage is full or disabled: the choice lasts as long as the page.
  }
  return next;
}

/** The columns that a list shows: those of its address, else those stored on this device. */
export const chosenColumns = (list: ListName, { columns }: { readonly columns?: string | undefined }) =>
  columns ?? readAll()[list]?.columns;

/** The columns of a list on this device. */
export function useKeptColumns(list: ListName) {
  const [columns, setColumns] = useState(() => readAll()[list]?.columns);
  const keep = (next: string | undefined): void => setColumns(keepList(list, { columns: next }).columns);
  return { columns, keep };
}

export const viewListOf = { programs: 'PROGRAMS', branches: 'BRANCHES' } as const satisfies Record<
  ListName,
  SaveViewInput['list']
>;

/** Saves the views that this device still has, once, unless the user has one of the same name. */
export function useTakeOver(list: ListName, known: readonly string[] | undefined, canSave: boolean): void {
  const client = useClient();
  useEffect(() => {
    const { views = [] } = readAll()[list] ?? {};
    if (known === undefined || !canSave || views.length === 0) return;
    keepList(list, { views: [] });
    for (const { name, search } of views) {
      if (known.includes(name)) continue;
      const input = { list: viewListOf[list], name, search: addressOf(search) };
      void client.mutation(SaveViewDocument, { input }).toPromise();
    }
  }, [client, list, known, canSave]);
}

/** The parameters of a search in an address: `q=physics`. */
export const addressOf = (search: Search): string => defaultStringifySearch({ ...search }).replace(/^\?/, '');
