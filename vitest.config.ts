import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long because they wait: for timeouts, and for what polls. */
const waiting = [
  'accounts/(?:keys/own-keys|sessions)',
  'authentication/(?:clock-skew|propagation)',
  'backup/backup',
  'cache/re',
  'change-feed/(?:end|subscription)',
  'database/outages/',
  'graphql-server/test/web-sockets-server',
  'http/(?:idle-connection|overload)',
  'http/test/bodies/slow-clients',
  'import-export/slow-readers',
];
/** Files that take long because they compute, start processes or use up a budget of time. */
const busiest = [
  'browser/console-accessibility',
  'embedded-postgres/test/',
  'fuzz/',
  'import-export/event-loop',
  'process/',
  'system/',
  'tabular/test/',
];

/**
 * Begins with the longest files, so that no worker is left alone with one of them at the end; those that wait are spread
 * among the others, which have the processors meanwhile.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOf = (names: readonly string[]) => {
      const pattern = new RegExp(`/(?:test|packages)/(?:${names.join('|')})`);
      return ({ moduleId }: TestSpecification) => pattern.test(moduleId);
    };
    const waits = sorted.filter(isOf(waiting));
    const others = sorted.filter((file) => !waits.includes(file));
    const busy = others.filter(isOf(busiest));
    const works = [...busy, ...others.filter((file) => !busy.includes(file))];
    // Of the last third, none may be long.
    const portion = Math.ceil((works.length * 2) / 3 / (waits.length + 1));
    return [...waits.flatMap((file) => [file, ...works.splice(0, portion)]), ...works];
  }
}

/** Tests of what happens once in a year, of many crashes and machines, of examples and images: `npm run test:system`. */
export const rare = [
  'packages/embedded-postgres/test/{address,crashes,system-user}.test.ts',
  'test/examples/*.test.ts',
  'test/process/container.test.ts',
];

/** What is tried at random, or in many ways: a few each time, and many (`inject('thorough')`) in `npm run test:system`. */
export const tried = [
  'packages/backup/test/backup.test.ts',
  'packages/change-log/test/feed.test.ts',
  'packages/embedded-postgres/test/open.test.ts',
  'packages/tabular/test/{damaged-workbook,runs,xlsx}.test.ts',
  'test/academics/concurrent-changes.test.ts',
  'test/accounts/made-with.test.ts',
  'test/attributes/model.test.ts',
  'test/authentication/jwt/jwt-forgery.test.ts',
  'test/bulk/{undo-by-field,undo-in-reverse}.test.ts',
  'test/cache/{list-dependencies,staleness}.test.ts',
  'test/change-feed/catalog-changes.test.ts',
  'test/config/address-secrecy.test.ts',
  'test/definitions/model.test.ts',
  'test/editions/{catalog-of-a-day,random-comparison}.test.ts',
  'test/fuzz/{event-loop,one-caller}.test.ts',
  'test/graphql/{any-spelling,rest-and-graphql}.test.ts',
  'test/import-export/{event-loop,export-command}.test.ts',
  'test/import-export/import/{ids,no-row-vanishes}.test.ts',
  'test/lists/{catalog-counts,name-order,orders,search}.test.ts',
  'test/process/build.test.ts',
  'test/validation/text.test.ts',
];

export default defineConfig({
  // One graphql for the tests and for the packages that Node loads: its classes are told apart by identity.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    // Those need a browser or a proxy, or take long: `npm run test:system`.
    exclude: ['test/{browser,system}/**', ...rare],
    // One import of the service for all files of a worker: they hold no state but their own servers and databases.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Tests make much that is soon garbage: in a larger young generation it is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // They wait for processes and for PostgreSQL more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    provide: { thorough: false },
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/setup.ts',
    // A test that starts processes needs longer than one that asks a running service.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // On a busy machine what a test waits for takes longer than vitest's second.
    expect: { poll: { timeout: 10_000 } },
  },
});
