import { pluralize } from '../format/text.ts';
import type { ProgramsSearch } from '../programs/search.ts';

interface BranchGroup {
  readonly label: string;
  readonly count: number;
  /** The list that the bar links to. */
  readonly search: ProgramsSearch;
}

/** Programs with at least so many branches share a bar. */
const many = 10;

export function branchGroups(
  counts: readonly { readonly branches: number; readonly count: number }[],
): readonly BranchGroup[] {
  const few = counts.filter(({ branches }) => branches < many);
  const rest = counts.filter(({ branches }) => branches >= many).reduce((sum, { count }) => sum + count, 0);
  return [
    ...few.map(({ branches, count }) => ({
      label: branches === 0 ? 'none' : pluralize(branches, 'branch', 'branches'),
      count,
      search: { minBranches: branches, maxBranches: branches },
    })),
    ...(rest === 0 ? [] : [{ label: `${many} or more`, count: rest, search: { minBranches: many } }]),
  ];
}
