import type { BranchFilter, ProgramFilter, ProgramOrder } from '../../academics/program-list.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';

/**
 * What decides which records a list has and in which order: which programs there are, the branches, a column of the
 * programs, or anything.
 */
type Criterion = 'existence' | 'branches' | 'anything' | 'name' | 'code' | 'duration' | 'created_at' | 'updated_at';

/** What was read, to be collected while a request is executed: the dependencies of its cached response. */
export interface ReadDependencies {
  /** Programs that were read with their branches or years. */
  readonly programs: Set<number>;
  /** Programs whose own columns were read. */
  readonly rows: Set<number>;
  readonly criteria: Set<Criterion>;
}

interface ProgramList {
  readonly filter: ProgramFilter;
  readonly orderBy: ProgramOrder;
  /** Those that it shows. */
  readonly programs: readonly Pick<Program, 'id'>[];
}

/** What decides on a list of programs. A list of deleted ones shows changes that the change log does not tell apart. */
function criteriaOf(filter: ProgramFilter, orderBy: ProgramOrder): Criterion[] {
  if (filter.deleted === true) return ['anything'];
  const { search, searchBranches = false, duration, hasBranches, createdSince, updatedSince } = filter;
  const isSearched = search !== undefined;
  const conditions: Readonly<Partial<Record<Criterion, boolean>>> = {
    name: isSearched || orderBy.startsWith('NAME'),
    code: isSearched,
    duration: duration !== undefined,
    branches: hasBranches !== undefined || (isSearched && searchBranches),
    created_at: createdSince !== undefined || orderBy.startsWith('CREATED'),
    updated_at: updatedSince !== undefined || orderBy.startsWith('UPDATED'),
  };
  const all: readonly Criterion[] = ['name', 'code', 'duration', 'branches', 'created_at', 'updated_at'];
  return ['existence', ...all.filter((criterion) => conditions[criterion])];
}

/** Adds a list of programs to the dependencies of what is executed. */
export function addProgramList({ rows, criteria }: ReadDependencies, { filter, orderBy, programs }: ProgramList): void {
  for (const { id } of programs) rows.add(id);
  for (const criterion of criteriaOf(filter, orderBy)) criteria.add(criterion);
}

/** Likewise a list of branches of all programs. */
export function addBranchList({ criteria }: ReadDependencies, { deleted = false }: BranchFilter): void {
  criteria.add(deleted ? 'anything' : 'branches');
}

/** A record before and after its update. */
interface Updated<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** What a write of this instance changed, as `CatalogChange` of the change log. */
export const changedExistence = (...programs: readonly Pick<Program, 'id'>[]) => {
  const ids = programs.map(({ id }) => id);
  return { programs: ids, rows: ids, criteria: ['existence', 'branches'] };
};
export const changedColumns = ({ before, after }: Updated<Program>) => ({
  programs: [after.id],
  rows: [after.id],
  criteria: [
    ...(['name', 'code', 'duration'] as const).filter((column) => before[column] !== after[column]),
    'updated_at',
  ],
});
export const changedBranches = (...branches: readonly Pick<Branch, 'programId'>[]) => ({
  programs: branches.map(({ programId }) => programId),
  rows: [],
  criteria: ['branches'],
});
