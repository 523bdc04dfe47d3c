import { defineConfig, mergeConfig } from 'vitest/config';
import tests from './vitest.config.ts';

// Tests that need more than Node.js: Debian's packages chromium, nginx and curl.
export default mergeConfig(
  { ...tests, test: { ...tests.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/{browser,system}/**/*.test.ts'],
      // Each browser takes as many cores as it can get.
      fileParallelism: false,
      testTimeout: 60_000,
      provide: { searchPath: process.env['PATH'] ?? '' },
    },
  }),
);
