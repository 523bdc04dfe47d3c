import { builder } from '../../graphql/builder.ts';
import { writes } from '../../graphql/performing.ts';
import {
  copyProgram,
  createProgram,
  createPrograms,
  deleteProgram,
  restoreProgram,
  updateProgram,
} from '../operations/programs.ts';
import { CopyProgramInput, CreateProgramInput, UpdateProgramInput } from './inputs.ts';

builder.mutationFields((t) => ({
  createProgram: t.field({
    type: 'Program',
    description: 'Creates a program.',
    args: { input: t.arg({ type: CreateProgramInput, required: true, description: 'The new program.' }) },
    ...writes(createProgram),
  }),
  createPrograms: t.field({
    type: ['Program'],
    description: 'Creates up to 100 programs, all or none. Problems are reported by index, such as `items[3].name`.',
    args: { items: t.arg({ type: [CreateProgramInput], required: true, description: 'The new programs.' }) },
    ...writes(createPrograms),
  }),
  updateProgram: t.field({
    type: 'Program',
    description: 'Updates a program.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the program.' }),
      input: t.arg({ type: UpdateProgramInput, required: true, description: 'The changes.' }),
    },
    ...writes(updateProgram),
  }),
  copyProgram: t.field({
    type: 'Program',
    description:
      'Creates a program as another one, with its attributes, and with branches as those of the other, with their years and attributes. It is one change, which `undoChange` undoes.',
    failsWith: ['NOT_FOUND'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the program to copy.' }),
      input: t.arg({ type: CopyProgramInput, required: true, description: 'What the copy has instead.' }),
    },
    ...writes(copyProgram),
  }),
  deleteProgram: t.field({
    type: 'Program',
    description: 'Deletes a program and its branches. `restoreProgram` undoes it.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...writes(deleteProgram),
  }),
  restoreProgram: t.field({
    type: 'Program',
    description:
      'Restores a deleted program and the branches deleted with it, but not those deleted before. No effect if it is not deleted.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...writes(restoreProgram),
  }),
}));
