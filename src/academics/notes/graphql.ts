import { builder } from '../../graphql/builder.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { reads, writes } from '../../graphql/performing.ts';
import { RecordKindEnum } from '../record-kind.ts';
import { existing } from '../sql/records.ts';
import { findNotes } from './notes.ts';
import { closeNote, createNote, listNotes, removeNote } from './operations.ts';

readAsNodes('Note', listNotes, async (ids, reading) => byId(await findNotes(reading.db, { ids: ids.map(Number) })));

builder.objectType('Note', {
  interfaces: [Node],
  description:
    'What somebody wants to be done about a program or branch. It stays when the record is deleted, and moves with it; it is no part of exports, copies and `undoChange`.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the note.' }),
    kind: t.field({
      type: RecordKindEnum,
      description: 'Type of the record.',
      resolve: ({ branchId }) => (branchId === null ? 'Program' : 'Branch'),
    }),
    program: t.field({
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description: 'The program; `null` for a note on a branch, or if the program is deleted.',
      resolve: async ({ programId }, _args, { reading: { loaders } }) =>
        programId === null ? null : (existing(await loaders.program.load(programId)) ?? null),
    }),
    branch: t.field({
      type: 'Branch',
      nullable: true,
      description: 'The branch; `null` for a note on a program, or if the branch is deleted.',
      resolve: async ({ branchId }, _args, { reading: { loaders } }) =>
        branchId === null ? null : (existing(await loaders.branch.load(branchId)) ?? null),
    }),
    text: t.exposeString('text', { description: 'The text.' }),
    author: t.exposeString('author', { description: 'Name that its author had, who may have been deleted since.' }),
    isOwn: t.boolean({
      description: 'Whether the caller is its author, who may delete it.',
      resolve: ({ authorId }, _args, { reading: { request } }) =>
        authorId !== null && authorId === request.caller.userId,
    }),
    addressee: t.exposeString('addressee', {
      nullable: true,
      description: 'Name that the user had for whom it is; `null` if it is for nobody in particular.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was done; `null` while it is open.',
    }),
    doneBy: t.exposeString('doneBy', { nullable: true, description: 'Name that the user had who closed it.' }),
  }),
});

const NoteFilter = builder.inputType('NoteFilter', {
  description: 'Filter of notes. All given conditions must match.',
  fields: (t) => ({
    done: t.boolean({ description: 'Whether they are done; open and done ones when absent.' }),
    mine: t.boolean({ description: 'Only those for the caller.' }),
    programId: t.int({ description: 'On this program or its branches.' }),
    branchId: t.int({ description: 'On this branch.' }),
    author: t.string({ description: 'Name that its author had, exactly.' }),
  }),
});

builder.queryField('notes', (t) =>
  t.connection(
    {
      type: 'Note',
      description:
        'The notes on programs and branches, newest first; those on deleted records are there again when these are restored. Needs the permission `programs:read`.',
      args: { filter: t.arg({ type: NoteFilter, description: 'Filter; all notes when absent.' }) },
      ...reads(listNotes),
    },
    { name: 'NoteConnection', description: 'A page of notes.' },
    { name: 'NoteEdge', description: 'A note and its cursor.' },
  ),
);

const AddNoteInput = builder.inputType('AddNoteInput', {
  description: 'A new note, on a program or on a branch.',
  fields: (t) => ({
    programId: t.int({ description: 'The program.' }),
    branchId: t.int({ description: 'The branch.' }),
    text: t.string({ required: true, description: 'The text: 1 to 2,000 characters.' }),
    addresseeId: t.int({ description: 'The user for whom it is, one of `colleagues`.' }),
  }),
});

const id = { required: true, description: 'Identifier of the note.' } as const;

builder.mutationFields((t) => ({
  addNote: t.field({
    type: 'Note',
    description: 'Writes a note on a program or branch, which has at most 100 open ones.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { input: t.arg({ type: AddNoteInput, required: true, description: 'The new note.' }) },
    ...writes(createNote),
  }),
  markNote: t.field({
    type: 'Note',
    description: 'Marks a note as done, or as open again.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int(id),
      done: t.arg.boolean({ defaultValue: true, description: 'Whether it is done.' }),
    },
    ...writes(closeNote),
  }),
  deleteNote: t.field({
    type: 'Note',
    description: 'Deletes a note, for good; its author may, and administrators. Returns it as it was.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int(id) },
    ...writes(removeNote),
  }),
}));
