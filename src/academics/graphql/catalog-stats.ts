import type { AnyTransaction } from '@service/postgres/sql';
import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import type { Reading } from '../../operations/request.ts';
import { orDefault } from '../../validation/optional.ts';
import { validateInput } from '../../validation/validate.ts';
import {
  branchesByYears,
  type CatalogCounts,
  changesPerDay,
  countCatalog,
  countDaysAgo,
  countProblems,
  countRecords,
  type DayChanges,
  type Group,
  programsByBranches,
  programsByDuration,
} from '../sql/stats.ts';

const daysMax = 366;
const daysRequest = z.object({
  days: orDefault(z.int().min(1, 'days must be at least 1.').max(daysMax, `days must be at most ${daysMax}.`), 30),
});

const DurationCount = builder.objectRef<Group<string>>('DurationCount').implement({
  description: 'Number of programs with a duration.',
  fields: (t) => ({
    duration: t.exposeString('key', { description: 'The duration.' }),
    count: t.exposeInt('count', { description: 'Number of programs.' }),
  }),
});

const BranchesCount = builder.objectRef<Group<number>>('BranchesCount').implement({
  description: 'Number of programs with a number of branches.',
  fields: (t) => ({
    branches: t.exposeInt('key', { description: 'Branches per program.' }),
    count: t.exposeInt('count', { description: 'Number of programs.' }),
  }),
});

const YearsCount = builder.objectRef<Group<number>>('YearsCount').implement({
  description: 'Number of branches with a number of years.',
  fields: (t) => ({
    years: t.exposeInt('key', { description: 'Years per branch.' }),
    count: t.exposeInt('count', { description: 'Number of branches.' }),
  }),
});

const DayChangesType = builder.objectRef<DayChanges>('DayChanges').implement({
  description: 'Number of changes on a day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Start of the day, midnight UTC.' }),
    count: t.exposeInt('count', { description: 'Number of changes.' }),
  }),
});

const EarlierCounts = builder.objectRef<Pick<CatalogCounts, 'programs' | 'branches'>>('EarlierCounts').implement({
  description: 'Numbers of records at an earlier time.',
  fields: (t) => ({
    programs: t.exposeInt('programs', { description: 'Number of programs.' }),
    branches: t.exposeInt('branches', { description: 'Number of branches.' }),
  }),
});

/** Statistics, each read once for a request; all selected counts in one statement and one snapshot. */
interface Statistics {
  readonly counts: () => Promise<Pick<CatalogCounts, 'programs' | 'branches'>>;
  readonly countsWithYears: () => Promise<CatalogCounts>;
  readonly problems: () => Promise<Pick<CatalogCounts, 'programs' | 'branches'>>;
  readonly programsByDuration: () => Promise<Group<string>[]>;
  readonly programsByBranches: () => Promise<Group<number>[]>;
  readonly branchesByYears: () => Promise<Group<number>[]>;
  readonly daysAgo: (days: number) => Promise<Pick<CatalogCounts, 'programs' | 'branches'>>;
  readonly changesPerDay: (days: number) => Promise<DayChanges[]>;
}

export const CatalogStats = builder.objectRef<Statistics>('CatalogStats').implement({
  description: 'Statistics of the catalog. Fields that are not selected are not computed.',
  fields: (t) => ({
    programs: t.int({
      description: 'Number of programs.',
      resolve: async ({ counts }) => (await counts()).programs,
    }),
    branches: t.int({
      description: 'Number of branches.',
      resolve: async ({ counts }) => (await counts()).branches,
    }),
    years: t.int({
      description: 'Number of years of all branches.',
      resolve: async ({ countsWithYears }) => (await countsWithYears()).years,
    }),
    programsWithProblem: t.int({
      description: 'Number of programs that `hasProblem` finds.',
      resolve: async ({ problems }) => (await problems()).programs,
    }),
    branchesWithProblem: t.int({
      description: 'Number of branches that `hasProblem` finds.',
      resolve: async ({ problems }) => (await problems()).branches,
    }),
    programsByDuration: t.field({
      type: [DurationCount],
      description: 'Number of programs per duration, most frequent first, at most 100 durations.',
      resolve: (stats) => stats.programsByDuration(),
    }),
    programsByBranches: t.field({
      type: [BranchesCount],
      description: 'Number of programs per number of branches, fewest branches first, at most 100 numbers.',
      resolve: (stats) => stats.programsByBranches(),
    }),
    branchesByYears: t.field({
      type: [YearsCount],
      description: 'Number of branches per number of years, fewest years first.',
      resolve: (stats) => stats.branchesByYears(),
    }),
    daysAgo: t.field({
      type: EarlierCounts,
      description:
        'Numbers of the records that existed so many days ago. A record that was deleted and restored since counts.',
      cacheScope: 'uncacheable',
      args: { days: t.arg.int({ defaultValue: 30, description: `Number of days, from 1 to ${daysMax}.` }) },
      resolve: (stats, args) => stats.daysAgo(validateInput(daysRequest, args).days),
    }),
    changesPerDay: t.field({
      type: [DayChangesType],
      description:
        'Changes of programs and branches on each of the last days, in UTC, oldest day first, today included: every record that was created, updated, deleted or restored.',
      // A new day begins without a change.
      cacheScope: 'uncacheable',
      args: { days: t.arg.int({ defaultValue: 30, description: `Number of days, from 1 to ${daysMax}.` }) },
      resolve: (stats, args) => stats.changesPerDay(validateInput(daysRequest, args).days),
    }),
  }),
});

const readStatistics = defineRead({
  name: 'catalogStats',
  access: 'programs:read',
  scope: 'catalog',
  input: z.object({}),
  run: (_input, reading) => {
    const stats = statsOf.get(reading) ?? createStats(reading.db);
    statsOf.set(reading, stats);
    return stats;
  },
});

builder.queryField('catalogStats', (t) =>
  t.field({ type: CatalogStats, description: 'Statistics of the catalog.', ...reads(readStatistics) }),
);

/** The statistics of a request, which its aliases share. */
const statsOf = new WeakMap<Reading, Statistics>();

function createStats(db: AnyTransaction): Statistics {
  const withYears = oncePerRequest(() => countCatalog(db));
  const withoutYears = oncePerRequest(() => countRecords(db));
  let yearsAreSelected = false;
  return {
    // Years are counted row by row, so only if they are selected: that is known once all resolvers of this turn are called.
    counts: async () => {
      await Promise.resolve();
      return yearsAreSelected ? withYears() : withoutYears();
    },
    countsWithYears: () => {
      yearsAreSelected = true;
      return withYears();
    },
    problems: oncePerRequest(() => countProblems(db)),
    programsByDuration: oncePerRequest(() => programsByDuration(db)),
    programsByBranches: oncePerRequest(() => programsByBranches(db)),
    branchesByYears: oncePerRequest(() => branchesByYears(db)),
    daysAgo: oncePerRequest((days: number) => countDaysAgo(db, days)),
    changesPerDay: oncePerRequest((days: number) => changesPerDay(db, days)),
  };
}

function oncePerRequest<Argument extends readonly number[], Result>(
  read: (...argument: Argument) => Promise<Result>,
): (...argument: Argument) => Promise<Result> {
  const results = new Map<number | undefined, Promise<Result>>();
  return (...argument) => {
    const result = results.get(argument[0]) ?? read(...argument);
    results.set(argument[0], result);
    return result;
  };
}
