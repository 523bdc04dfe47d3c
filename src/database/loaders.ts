import DataLoader from 'dataloader';
import type { ApiKey, Branch, BranchYear, Program, User } from '../generated/prisma/client.ts';
import type { Database } from './client.ts';

/**
 * The reads of one request, gathered: however many fields and aliases ask, each level of a query
 * takes one statement. Only what is not deleted is found.
 */
export interface Loaders {
  readonly program: DataLoader<number, Program | undefined>;
  readonly branch: DataLoader<number, Branch | undefined>;
  /** The branches of a program, by id. */
  readonly branchesOfProgram: DataLoader<number, Branch[]>;
  /** The years of a branch, in their order. */
  readonly yearsOfBranch: DataLoader<number, BranchYear[]>;
  /** The user whom a key belongs to: there always is one. */
  readonly user: DataLoader<number, User>;
  /** The API keys of a user, by id. */
  readonly keysOfUser: DataLoader<number, ApiKey[]>;
  /** The count of all programs. */
  readonly programCount: DataLoader<'all', number>;
  /** Forgets what was read: after a change it may be old. */
  clear(): void;
}

/** Makes the loaders of one request. */
export function createLoaders(db: Database): Loaders {
  const program = new DataLoader(async (ids: readonly number[]) => {
    const found = await db.program.findMany({ where: { id: { in: [...ids] }, deletedAt: null } });
    return inOrder(ids, found);
  });
  const branch = new DataLoader(async (ids: readonly number[]) => {
    const found = await db.branch.findMany({ where: { id: { in: [...ids] }, deletedAt: null } });
    return inOrder(ids, found);
  });
  const branchesOfProgram = new DataLoader(async (programIds: readonly number[]) => {
    const found = await db.branch.findMany({
      where: { programId: { in: [...programIds] }, deletedAt: null },
      orderBy: { id: 'asc' },
    });
    return inGroups(programIds, found, (row) => row.programId);
  });
  const yearsOfBranch = new DataLoader(async (branchIds: readonly number[]) => {
    const found = await db.branchYear.findMany({
      where: { branchId: { in: [...branchIds] } },
      orderBy: { year: 'asc' },
    });
    return inGroups(branchIds, found, (row) => row.branchId);
  });
  const user = new DataLoader(async (ids: readonly number[]) => {
    const found = inOrder(ids, await db.user.findMany({ where: { id: { in: [...ids] } } }));
    return found.map((row, index) => row ?? new Error(`There is no user ${ids[index]}.`));
  });
  const keysOfUser = new DataLoader(async (userIds: readonly number[]) => {
    const found = await db.apiKey.findMany({ where: { userId: { in: [...userIds] } }, orderBy: { id: 'asc' } });
    return inGroups(userIds, found, (row) => row.userId);
  });
  const programCount = new DataLoader(async (keys: readonly 'all'[]) => {
    const count = await db.program.count({ where: { deletedAt: null } });
    return keys.map(() => count);
  });
  const all = [program, branch, branchesOfProgram, yearsOfBranch, user, keysOfUser, programCount];
  return {
    program,
    branch,
    branchesOfProgram,
    yearsOfBranch,
    user,
    keysOfUser,
    programCount,
    clear: () => {
      for (const loader of all) loader.clearAll();
    },
  };
}

function inOrder<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

function inGroups<Row>(ids: readonly number[], rows: readonly Row[], idOf: (row: Row) => number): Row[][] {
  const groups = new Map<number, Row[]>(ids.map((id) => [id, []]));
  for (const row of rows) groups.get(idOf(row))?.push(row);
  return ids.map((id) => groups.get(id) ?? []);
}
