import { defineConfig, mergeConfig } from 'vitest/config';
import tests, { rare, tried } from './vitest.config.ts';

// Tests that take long, and those that need more than Node.js: Debian's packages chromium, curl, nginx, pgbouncer, prometheus and python3-httpx, and the npm registry.
export default mergeConfig(
  { ...tests, test: { ...tests.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/{browser,system}/**/*.test.ts', ...rare, ...tried],
      // More would only be in each other's way: each has a service, PostgreSQL and mostly a browser.
      maxWorkers: 2,
      testTimeout: 120_000,
      provide: { searchPath: process.env['PATH'] ?? '', thorough: true },
    },
  }),
);
