import type { Branch, Program } from '../../generated/prisma/client.ts';
import type { BranchFilter, ProgramFilter, ProgramOrder } from '../rules/program-list.ts';

type Criterion = 'existence' | 'branches' | 'anything' | 'name' | 'code' | 'duration' | 'created_at' | 'updated_at';

/** What was read while a request is executed: the dependencies of its cached response. */
export interface ReadDependencies {
  /** Read with their branches or years. */
  readonly programs: Set<number>;
  /** Read by their own columns only. */
  readonly rows: Set<number>;
  readonly criteria: Set<Criterion>;
}

interface ProgramList {
  readonly filter: ProgramFilter;
  readonly orderBy: ProgramOrder;
  readonly programs: readonly Pick<Program, 'id'>[];
}

/** A list of deleted programs shows changes that the change log does not distinguish. */
function criteriaOf(filter: ProgramFilter, orderBy: ProgramOrder): Criterion[] {
  if (filter.deleted === true) return ['anything'];
  const { search, searchBranches = false, duration, hasBranches, createdSince, updatedSince } = filter;
  const { minBranches, maxBranches } = filter;
  const isSearched = search !== undefined;
  const conditions: Readonly<Partial<Record<Criterion, boolean>>> = {
    name: isSearched || orderBy.startsWith('NAME'),
    code: isSearched,
    duration: duration !== undefined,
    branches:
      [hasBranches, minBranches, maxBranches].some((condition) => condition !== undefined) ||
      (isSearched && searchBranches),
    created_at: createdSince !== undefined || orderBy.startsWith('CREATED'),
    updated_at: updatedSince !== undefined || orderBy.startsWith('UPDATED'),
  };
  const all: readonly Criterion[] = ['name', 'code', 'duration', 'branches', 'created_at', 'updated_at'];
  return ['existence', ...all.filter((criterion) => conditions[criterion])];
}

export function addProgramList({ rows, criteria }: ReadDependencies, { filter, orderBy, programs }: ProgramList): void {
  for (const { id } of programs) rows.add(id);
  for (const criterion of criteriaOf(filter, orderBy)) criteria.add(criterion);
}

export function addBranchList({ criteria }: ReadDependencies, { deleted = false }: BranchFilter): void {
  criteria.add(deleted ? 'anything' : 'branches');
}

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
