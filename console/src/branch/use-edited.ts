import { useState } from 'react';
import type { BranchFieldsFragment } from './documents.generated.ts';

interface Row {
  /** As it is now, or as it last was here. */
  readonly branch: BranchFieldsFragment;
  readonly isEdited: boolean;
  /** Whether the list still has it. */
  readonly isListed: boolean;
}

/** The rows of a list with those that are edited: whatever somebody else does to a branch, its form stays. */
export function useEdited(listed: readonly BranchFieldsFragment[]) {
  const [edited, setEdited] = useState<readonly BranchFieldsFragment[]>([]);
  const ids = new Set(edited.map(({ id }) => id));
  const listedIds = new Set(listed.map(({ id }) => id));
  const rows: Row[] = [
    ...listed.map((branch) => ({ branch, isEdited: ids.has(branch.id), isListed: true })),
    ...edited.filter(({ id }) => !listedIds.has(id)).map((branch) => ({ branch, isEdited: true, isListed: false })),
  ];
  return {
    // The service lists branches in the order in which they were created.
    rows: rows.toSorted((one, other) => one.branch.id - other.branch.id),
    begin: (branch: BranchFieldsFragment): void => setEdited((others) => [...others, branch]),
    end: ({ id }: BranchFieldsFragment): void => setEdited((all) => all.filter((branch) => branch.id !== id)),
  };
}
