import type { AnyTransaction } from '@service/postgres/sql';
import DataLoader from 'dataloader';
import { z } from 'zod';
import { databaseNow } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, Branch, BranchYear, Program, User } from '../../generated/prisma/client.ts';
import type { BranchFilter, ProgramFilter } from '../rules/filters.ts';
import { countsOfAllBranches } from './all-branches.ts';
import { type BranchWindow, branchesIn, countBranches } from './branches-of-program.ts';
import { addProgramList, type ReadDependencies } from './dependencies.ts';
import { type FoundProgram, matchedBranches } from './matched-branches.ts';
import { countsOfPrograms, type ProgramPage, type ProgramPageRequest, programPages } from './program-pages.ts';
import { branchesById, branchesOf, branchYears, programsById } from './records.ts';
import { type ChangeEntry, undoneBy, undoneOf } from './undone-by.ts';

/** The DataLoaders of one request: one statement per level of a query. */
export interface Loaders {
  /** Deleted ones too. */
  readonly program: DataLoader<number, Program | undefined>;
  readonly branch: DataLoader<number, Branch | undefined>;
  readonly branchesOfProgram: DataLoader<number, Branch[]>;
  readonly branchWindow: DataLoader<BranchWindow, Branch[], string>;
  readonly branchCount: DataLoader<number, number>;
  readonly matchedBranches: DataLoader<FoundProgram, Branch[], string>;
  readonly yearsOfBranch: DataLoader<number, BranchYear[]>;
  /** Rejects when the key has no user. */
  readonly user: DataLoader<number, User>;
  /** The id of the key that replaced a key. */
  readonly replacement: DataLoader<number, number | null>;
  /** What was revoked with a key, as made with it; the audit log knows it. */
  readonly revokedWith: DataLoader<number, ApiKey[]>;
  readonly programCount: DataLoader<ProgramFilter, number, string>;
  readonly allBranchCount: DataLoader<BranchFilter, number, string>;
  /** Reads all pages of the batch in one snapshot. */
  readonly programPage: DataLoader<ProgramPageRequest, ProgramPage, string>;
  /** The change by which a record of another was undone, and the change that a change has undone. */
  readonly undoneBy: DataLoader<ChangeEntry, string | null, string>;
  readonly undoneOf: DataLoader<string, string | null>;
  /** The time of the database's clock, read once per request. */
  readonly now: DataLoader<'now', Date>;
  clear(): void;
}

interface Sources {
  readonly db: AnyTransaction;
  prisma<Result>(read: (db: Transaction) => Promise<Result>): Promise<Result>;
  readonly dependencies: ReadDependencies;
}

/** Inside a transaction, they see its writes. What they read is added to `dependencies`. */
export function createLoaders(reading: Sources): Loaders {
  const { db, dependencies } = reading;
  const { ids: shown } = dependencies;
  const program = new DataLoader(async (ids: readonly number[]) => {
    for (const id of ids) shown.add(id);
    return inOrder(ids, await programsById(db, ids));
  });
  const branch = new DataLoader(async (ids: readonly number[]) => {
    const found = await branchesById(db, ids);
    for (const { programId } of found) shown.add(programId);
    return inOrder(ids, found);
  });
  const branchesOfProgram = new DataLoader(async (programIds: readonly number[]) => {
    for (const id of programIds) shown.add(id);
    return inGroups(programIds, await branchesOf(db, programIds), (row) => row.programId);
  });
  const branchWindow = new DataLoader(
    (windows: readonly BranchWindow[]) => {
      for (const { programId } of windows) shown.add(programId);
      return branchesIn(db, windows);
    },
    { cacheKeyFn: (window) => JSON.stringify(window) },
  );
  const branchCount = new DataLoader((programIds: readonly number[]) => {
    for (const id of programIds) shown.add(id);
    return countBranches(db, programIds);
  });
  const matched = new DataLoader((found: readonly FoundProgram[]) => matchedBranches(db, found), {
    cacheKeyFn: (found) => JSON.stringify(found),
  });
  const yearsOfBranch = new DataLoader(async (branchIds: readonly number[]) =>
    inGroups(branchIds, await branchYears(db, branchIds), (row) => row.branchId),
  );
  const user = new DataLoader(async (ids: readonly number[]) => {
    const found = inOrder(
      ids,
      await reading.prisma((prisma) => prisma.user.findMany({ where: { id: { in: [...ids] } } })),
    );
    return found.map((row, index) => row ?? new Error(`There is no user ${ids[index]}.`));
  });
  const replacement = new DataLoader(async (ids: readonly number[]) => {
    const made = await reading.prisma((prisma) =>
      prisma.apiKey.findMany({ where: { replaces: { in: [...ids] } }, select: { id: true, replaces: true } }),
    );
    const byId = new Map(made.map(({ id, replaces }) => [replaces, id]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  const revokedWith = new DataLoader(async (ids: readonly number[]) => {
    const entries = await reading.prisma((prisma) =>
      prisma.auditEntry.findMany({
        where: { subject: 'ApiKey', subjectId: { in: [...ids] }, action: 'revoke' },
        select: { subjectId: true, after: true },
      }),
    );
    const listed = entries.map(({ subjectId, after }) => ({
      subjectId,
      keyIds: revocation.safeParse(after).data?.revokedWith ?? [],
    }));
    const keyIds = listed.flatMap((entry) => entry.keyIds);
    const where = { id: { in: keyIds } };
    const keys =
      keyIds.length === 0
        ? []
        : await reading.prisma((prisma) => prisma.apiKey.findMany({ where, orderBy: { id: 'asc' } }));
    return ids.map((id) => {
      const own = new Set(listed.flatMap((entry) => (entry.subjectId === id ? entry.keyIds : [])));
      return keys.filter((key) => own.has(key.id));
    });
  });
  const programCount = new DataLoader((filters: readonly ProgramFilter[]) => countsOfPrograms(db, filters), {
    cacheKeyFn: (filter) => JSON.stringify(filter),
  });
  const allBranchCount = new DataLoader((filters: readonly BranchFilter[]) => countsOfAllBranches(db, filters), {
    cacheKeyFn: (filter) => JSON.stringify(filter),
  });
  const programPage = new DataLoader(
    async (requests: readonly ProgramPageRequest[]) => {
      const pages = await programPages(db, requests);
      for (const [place, { filter }] of pages.entries())
        addProgramList(dependencies, filter, requests[place]?.orderBy.by);
      return pages;
    },
    { cacheKeyFn: (page) => JSON.stringify(page) },
  );
  const undone = new DataLoader((records: readonly ChangeEntry[]) => undoneBy(db, records), {
    cacheKeyFn: ({ changeId, subject, subjectId }) => `${changeId} ${subject} ${subjectId}`,
  });
  const undoes = new DataLoader((changeIds: readonly string[]) => undoneOf(db, changeIds));
  const now = new DataLoader(async (times: readonly 'now'[]) => {
    const instant = await reading.prisma(databaseNow);
    return times.map(() => instant);
  });
  const loaders = {
    program,
    branch,
    branchesOfProgram,
    branchWindow,
    branchCount,
    matchedBranches: matched,
    yearsOfBranch,
    user,
    replacement,
    revokedWith,
    programCount,
    allBranchCount,
    programPage,
    undoneBy: undone,
    undoneOf: undoes,
    now,
  };
  return {
    ...loaders,
    clear: () => {
      for (const loader of Object.values(loaders)) loader.clearAll();
    },
  };
}

/** What the audit log says of a key that was revoked with others. */
const revocation = z.object({ revokedWith: z.array(z.int()) });

function inOrder<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

function inGroups<Row>(ids: readonly number[], rows: readonly Row[], idOf: (row: Row) => number): Row[][] {
  const groups = new Map<number, Row[]>(ids.map((id) => [id, []]));
  for (const row of rows) groups.get(idOf(row))?.push(row);
  return ids.map((id) => groups.get(id) ?? []);
}
