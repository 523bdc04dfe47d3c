import { z } from 'zod';
import { orAbsent } from './optional.ts';
import { singleLine } from './text.ts';

const name = singleLine('name', { least: 1, most: 255 });
const duration = singleLine('duration', { least: 1, most: 100 });
const code = singleLine('code', { most: 50 });

/** What creates a program (`docs/contract.md` 2, `docs/contract.md` 5). */
export const newProgram = z.object({ name, duration, code: orAbsent(code) });

/** What may change in a program; what is absent stays. */
export const programChanges = z.object({ name: orAbsent(name), duration: orAbsent(duration), code: orAbsent(code) });
