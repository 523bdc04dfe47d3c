import { pluralize } from '../format/text.ts';
import type { ProgramsSearch } from '../programs/search.ts';

interface BranchGroup {
  readonly label: string;
  readonly count: number;
  /** The list of the programs that are counted. */
  readonly search: ProgramsSearch;
}

/** From this number of branches on, programs are counted together. */
const many = 10;

/** The programs by their number of branches, as bars. */
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
