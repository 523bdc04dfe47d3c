import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFolder } from '../../../src/installation.ts';

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')));
