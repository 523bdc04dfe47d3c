import { mergeConfig } from 'vitest/config';
import tests from './vitest.config.ts';

// The same tests, with what sockets receive delayed at random: what fails here only is a race, mostly of the test.
export default mergeConfig(tests, { test: { setupFiles: ['test/support/delayed-sockets.ts'] } });
