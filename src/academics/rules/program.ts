import { z } from 'zod';
import { orAbsent, orCleared } from '../../validation/optional.ts';
import { singleLine } from '../../validation/text.ts';

const name = singleLine('name', { min: 1, max: 255 });
const duration = singleLine('duration', { min: 1, max: 100 });
const code = singleLine('code', { max: 50 });

export const newProgram = z.object({ name, duration, code: orAbsent(code) });

export const programChanges = z.object({ name: orAbsent(name), duration: orAbsent(duration), code: orCleared(code) });
