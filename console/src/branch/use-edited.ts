import { useEffect, useState } from 'react';
import { editedIds } from '../forms/drafts.ts';
import type { BranchFieldsFragment } from './documents.generated.ts';

interface Row {
  /** The current record, or the last one if it has left the list. */
  readonly branch: BranchFieldsFragment;
  readonly isEdited: boolean;
  readonly isListed: boolean;
}

/** The rows of a list. A branch that is edited, or has a draft, keeps its form when it leaves the list. */
export function useEdited(listed: readonly BranchFieldsFragment[]) {
  const [edited, setEdited] = useState<ReadonlyMap<number, BranchFieldsFragment | null>>(
    () => new Map(editedIds('branch').map((id) => [id, null])),
  );
  const listedIds = new Set(listed.map(({ id }) => id));
  const left = [...edited.values()].filter((branch) => branch !== null).filter(({ id }) => !listedIds.has(id));
  const rows: Row[] = [
    ...listed.map((branch) => ({ branch, isEdited: edited.has(branch.id), isListed: true })),
    ...left.map((branch) => ({ branch, isEdited: true, isListed: false })),
  ];
  useEffect(() => {
    const restored = listed.filter(({ id }) => edited.get(id) === null);
    if (restored.length > 0) setEdited(new Map([...edited, ...restored.map((branch) => [branch.id, branch] as const)]));
  }, [listed, edited]);
  return {
    // The service lists branches in the order of their ids.
    rows: rows.toSorted((one, other) => one.branch.id - other.branch.id),
    begin: (branch: BranchFieldsFragment): void => setEdited(new Map([...edited, [branch.id, branch]])),
    end: ({ id }: BranchFieldsFragment): void => setEdited(new Map([...edited].filter(([edit]) => edit !== id))),
  };
}
