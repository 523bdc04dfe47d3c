import { z } from 'zod';
import { changeId } from '../../accounts/audit/audit.ts';
import { defineWrite } from '../../operations/operation.ts';
import { orDefault } from '../../validation/optional.ts';
import { type UndoResult, undoEntries } from '../sql/writes/undo.ts';
import { withoutRefusals } from './judged.ts';

export const undoChange = defineWrite({
  name: 'undoChange',
  access: 'programs:write',
  transaction: 'long',
  input: z.object({ changeId, dryRun: orDefault(z.boolean(), false) }),
  affects: ({ changeId: own }: UndoResult) => (own === null ? 'nothing' : 'everything'),
  run: ({ changeId: id, dryRun }, writing) => undoEntries(withoutRefusals(writing), id, dryRun),
});
