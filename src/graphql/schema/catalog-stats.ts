import { z } from 'zod';
import { notFound } from '../../academics/identifier.ts';
import { validateInput } from '../../academics/validate.ts';
import {
  branchesByYears,
  type CatalogCounts,
  countCatalog,
  type Group,
  programsByDuration,
  type RecentChange,
  recentChanges,
} from '../../database/catalog/stats.ts';
import { builder } from './builder.ts';

const recentMax = 100;
const recentRequest = z.object({
  first: z
    .int()
    .min(1, 'first must be at least 1.')
    .max(recentMax, `first must be at most ${recentMax}.`)
    .nullish()
    .transform((first) => first ?? 10),
});

const DurationCount = builder.objectRef<Group<string>>('DurationCount').implement({
  description: 'How many programs take how long.',
  fields: (t) => ({
    duration: t.exposeString('key', { description: 'The duration, as text.' }),
    count: t.exposeInt('count', { description: 'The number of programs that have it.' }),
  }),
});

const YearsCount = builder.objectRef<Group<number>>('YearsCount').implement({
  description: 'How many branches have how many years.',
  fields: (t) => ({
    years: t.exposeInt('key', { description: 'The number of years.' }),
    count: t.exposeInt('count', { description: 'The number of branches that have so many.' }),
  }),
});

/** What a record is, wherever records of both kinds are told. */
export const RecordKind = builder.enumType('RecordKind', {
  description: 'What a record of the catalog is.',
  values: { PROGRAM: { description: 'A program.' }, BRANCH: { description: 'A branch.' } },
});

const RecentChangeType = builder.objectRef<RecentChange>('RecentChange').implement({
  description: 'A program or branch that was created, changed or restored.',
  fields: (t) => ({
    kind: t.field({ type: RecordKind, description: 'What it is.', resolve: ({ kind }) => kind }),
    programId: t.exposeInt('programId', { description: 'Identifier of the program, or of the program of the branch.' }),
    branchId: t.exposeInt('branchId', { nullable: true, description: 'Identifier of the branch, if it is one.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    program: t.field({
      type: 'Program',
      description: 'The program itself, or the program of the branch.',
      access: 'programs:read',
      resolve: async ({ programId }, _args, { loaders }) => {
        const program = await loaders.program.load(programId);
        if (program === undefined) throw notFound('Program', programId);
        return program;
      },
    }),
  }),
});

/** The counts are read when the first of them is asked for, together and once. */
interface CatalogStats {
  readonly counts: () => Promise<CatalogCounts>;
}

const CatalogStatsType = builder.objectRef<CatalogStats>('CatalogStats').implement({
  description: 'The whole catalog in numbers. What is not asked for costs nothing.',
  fields: (t) => ({
    programs: t.int({
      description: 'The number of programs.',
      resolve: async ({ counts }) => (await counts()).programs,
    }),
    branches: t.int({
      description: 'The number of branches.',
      resolve: async ({ counts }) => (await counts()).branches,
    }),
    years: t.int({
      description: 'The number of years of all branches.',
      resolve: async ({ counts }) => (await counts()).years,
    }),
    programsByDuration: t.field({
      type: [DurationCount],
      description: 'Programs by duration, the most frequent first, at most 100 durations.',
      resolve: (_stats, _args, { db }) => programsByDuration(db),
    }),
    branchesByYears: t.field({
      type: [YearsCount],
      description: 'Branches by their number of years, the fewest years first.',
      resolve: (_stats, _args, { db }) => branchesByYears(db),
    }),
    recentChanges: t.field({
      type: [RecentChangeType],
      description: 'The programs and branches that were changed last, the newest first.',
      args: { first: t.arg.int({ defaultValue: 10, description: `How many, at most ${recentMax}.` }) },
      resolve: (_stats, args, { db }) => recentChanges(db, validateInput(recentRequest, args).first),
    }),
  }),
});

builder.queryField('catalogStats', (t) =>
  t.field({
    type: CatalogStatsType,
    description: 'The whole catalog in numbers.',
    access: 'programs:read',
    cacheScope: 'catalog',
    resolve: (_root, _args, { db }) => {
      let counts: Promise<CatalogCounts> | undefined;
      return {
        counts: () => {
          counts ??= countCatalog(db);
          return counts;
        },
      };
    },
  }),
);
