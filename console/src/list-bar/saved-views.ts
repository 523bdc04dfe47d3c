import { useState } from 'react';
import * as z from 'zod/mini';

/** The columns and views of each list, stored on this device. */
const storageName = 'academic-structure-lists';

const view = z.object({ name: z.string(), search: z.record(z.string(), z.unknown()) });
const keptList = z.object({ columns: z.optional(z.string()), views: z.array(view) });

export type View = z.infer<typeof view>;
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

/** The columns that a list shows: those of its address, else those stored on this device. */
export const chosenColumns = (list: ListName, { columns }: { readonly columns?: string | undefined }) =>
  columns ?? readAll()[list]?.columns;

/** The columns and the saved views of a list on this device. */
export function useSavedViews(list: ListName) {
  const [kept, setKept] = useState<KeptList>(() => readAll()[list] ?? { views: [] });
  const keep = (changes: Partial<KeptList>): void => {
    const next = { ...(readAll()[list] ?? kept), ...changes };
    setKept(next);
    try {
      localStorage.setItem(storageName, JSON.stringify({ ...readAll(), [list]: next }));
    } catch {
      // The storage is full or disabled: the choice lasts as long as the page.
    }
  };
  return { kept, keep };
}
