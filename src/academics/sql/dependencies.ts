import type { Branch, Program } from '../../generated/prisma/client.ts';
import type { WithSimilarWords } from '../lists/words.ts';
import { type BranchFilter, nestedIn, type ProgramCondition, type ProgramFilter } from '../rules/filters.ts';
import type { Ordering } from '../rules/lists.ts';

/** The records that a request has read: the dependencies of its cached response. */
export interface ReadDependencies {
  /** Programs, with their branches and years. */
  readonly ids: Set<number>;
  /** Lists of programs or of branches; the change log does not say the kind of a deleted record that changes. */
  readonly lists: Set<'programs' | 'branches' | 'anything'>;
}

export const noDependencies = (): ReadDependencies => ({ ids: new Set(), lists: new Set() });

/** Similar words are those of the names of programs and branches. */
export function addProgramList(
  { lists }: ReadDependencies,
  filter: WithSimilarWords<ProgramFilter>,
  by?: Ordering['by'],
): void {
  const { deleted, search, words, searchBranches } = filter;
  lists.add(deleted === true ? 'anything' : 'programs');
  const counted = [filter, ...nestedIn<ProgramCondition>(filter)].flatMap((one) => [
    one.hasBranches,
    one.minBranches,
    one.maxBranches,
  ]);
  const isOfBranches = [...counted, searchBranches === true ? search : words].some((given) => given !== undefined);
  if (isOfBranches || by === 'BRANCHES') lists.add('branches');
}

/** Adds a list of branches; similar words are those of programs, too. */
export function addBranchList(
  { lists }: ReadDependencies,
  { deleted = false, words }: WithSimilarWords<BranchFilter>,
  by?: Ordering['by'],
): void {
  lists.add(deleted ? 'anything' : 'branches');
  if (words !== undefined || by === 'PROGRAM') lists.add('programs');
}

/** The changes of a write of this instance, as `Change` of `@service/change-log/epochs`. */
export const changedPrograms = (...programs: readonly Pick<Program, 'id'>[]) => ({
  ids: programs.map(({ id }) => id),
  kinds: ['programs'],
});
/** What a change of branches makes invalid: their programs, and lists of branches. */
export const changedBranches = (...branches: readonly Pick<Branch, 'programId'>[]) => ({
  ids: branches.map(({ programId }) => programId),
  kinds: ['branches'],
});
/** A program that is deleted or restored with its branches. */
export const changedWithBranches = ({ id }: Pick<Program, 'id'>) => ({ ids: [id], kinds: ['programs', 'branches'] });
