import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One graphql for the tests and for the packages that Node loads: its classes are told apart by identity.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // Those need a browser or a proxy: `npm run test:system`.
    exclude: ['test/{browser,system}/**'],
    // They wait for processes and for PostgreSQL more than they compute.
    // One import of the service for all files of a worker: they hold no state but their own servers and databases.
    isolate: false,
    maxWorkers: Math.max(3, availableParallelism() - 1),
    globalSetup: 'test/support/global-setup.ts',
    // A test that starts processes needs longer than one that asks a running service.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
