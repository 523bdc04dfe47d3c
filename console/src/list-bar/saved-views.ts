import { defaultStringifySearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';
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

/** Saves the views that this device still has, once; one whose name the user has already is forgotten. */
export function useTakeOver(list: ListName, known: readonly string[] | undefined, canSave: boolean): void {
  const client = useClient();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (known === undefined || !canSave || hasBegun.current) return;
    hasBegun.current = true;
    void takeOver(client, list, known);
  }, [client, list, known, canSave]);
}

async function takeOver(client: Client, list: ListName, known: readonly string[]): Promise<void> {
  for (const { name, search } of readAll()[list]?.views ?? []) {
    const input = { list: viewListOf[list], name, search: addressOf(search) };
    const isSaved = known.includes(name) || (await client.mutation(SaveViewDocument, { input })).error === undefined;
    if (isSaved) keepList(list, { views: (readAll()[list]?.views ?? []).filter((one) => one.name !== name) });
  }
}

/** The parameters of a search in an address: `q=physics`. */
export const addressOf = (search: Search): string => defaultStringifySearch({ ...search }).replace(/^\?/, '');
