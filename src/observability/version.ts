import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of the service, as `package.json` says; found from `src/observability` and `dist/observability` alike. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
