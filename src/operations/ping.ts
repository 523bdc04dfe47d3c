import { z } from 'zod';
import { defineRead } from './operation.ts';

export const ping = defineRead({
  name: 'ping',
  access: 'key',
  scope: 'nothing',
  input: z.object({}),
  run: () => ({ status: 'ok' }),
});
