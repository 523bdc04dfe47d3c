import { ServiceError } from '@service/errors';
import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { reads, writes } from '../../graphql/performing.ts';
import { defineRead, defineWrite } from '../../operations/operation.ts';
import { orDefault } from '../../validation/optional.ts';
import { problem } from '../../validation/problems.ts';
import { singleLine } from '../../validation/text.ts';
import { identifier } from '../../validation/validate.ts';
import { deleteView, listViews, saveView, type View, viewLists } from './views.ts';

const list = z.enum(viewLists);

const readViews = defineRead({
  name: 'savedViews',
  access: 'user',
  scope: 'uncacheable',
  input: z.object({ list }),
  run: (input, { db, request: { caller } }) =>
    listViews(db, { ...input, userId: caller.userId, withShared: caller.permissions.has('programs:read') }),
});

const sharesView = z.looseObject({ isShared: z.literal(true) });

/** No cached response shows views. */
const shared = { access: 'user', transaction: 'short', affects: () => ({ ids: [], kinds: [] }) } as const;

const save = defineWrite({
  ...shared,
  name: 'saveView',
  accessFor: (given) => (sharesView.safeParse(given).success ? 'programs:write' : undefined),
  input: z.object({
    list,
    name: singleLine('name', { min: 1, max: 100 }),
    search: singleLine('search', { max: 4_000 }),
    isShared: orDefault(z.boolean(), false),
  }),
  run: (view, { tx, actor, request: { caller } }) => {
    // A token whose user has never signed in.
    if (caller.userId === null) throw new ServiceError('FORBIDDEN', problem('NO_USER_FOR_VIEWS'));
    return saveView(tx, actor, caller.userId, view);
  },
});

const remove = defineWrite({
  ...shared,
  name: 'deleteView',
  input: identifier,
  run: ({ id }, { tx, actor, request: { caller } }) =>
    deleteView(tx, actor, id, { userId: caller.userId, isAdmin: caller.permissions.has('admin') }),
});

const ViewList = builder.enumType('ViewList', {
  description: 'A list of the console.',
  values: upperCaseValues(viewLists, { programs: 'The programs.', branches: 'The branches.' }),
});

const SavedView = builder.objectRef<View>('SavedView').implement({
  description: 'A saved view of a list of the console: filter, order and columns under a name, of one user or for all.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the view.' }),
    list: t.expose('list', { type: ViewList, description: 'The list.' }),
    name: t.exposeString('name', { description: 'Name of the view, unique among those of its owner for a list.' }),
    search: t.exposeString('search', { description: "The parameters of the list's address, such as `q=physics`." }),
    isShared: t.exposeBoolean('isShared', { description: 'Whether it is for all.' }),
    isOwn: t.boolean({
      description: 'Whether the caller is its owner.',
      resolve: ({ userId }, _args, { reading: { request } }) => userId !== null && userId === request.caller.userId,
    }),
    owner: t.exposeString('owner', { nullable: true, description: 'Name of its owner; `null` once deleted.' }),
  }),
});

builder.queryField('savedViews', (t) =>
  t.field({
    type: [SavedView],
    description: 'The saved views of the caller and, with the permission `programs:read`, those for all; by name.',
    args: { list: t.arg({ type: ViewList, required: true, description: 'The list.' }) },
    ...reads(readViews),
  }),
);

const SaveViewInput = builder.inputType('SaveViewInput', {
  description: 'A view to save.',
  fields: (t) => ({
    list: t.field({ type: ViewList, required: true, description: 'The list.' }),
    name: t.string({ required: true, description: 'Name of the view: one line, 1 to 100 characters.' }),
    search: t.string({
      required: true,
      description: "The parameters of the list's address: at most 4,000 characters.",
    }),
    isShared: t.boolean({ defaultValue: false, description: 'Whether it is for all, which needs `programs:write`.' }),
  }),
});

builder.mutationFields((t) => ({
  saveView: t.field({
    type: SavedView,
    description: 'Saves a view of the caller, in place of the one with its name. A user has at most 100.',
    failsWith: ['CONFLICT'],
    args: { input: t.arg({ type: SaveViewInput, required: true, description: 'The view.' }) },
    ...writes(save),
  }),
  deleteView: t.field({
    type: SavedView,
    description: "Deletes a view: one's own, or as an administrator one that is for all. Returns it as it was.",
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the view.' }) },
    ...writes(remove),
  }),
}));
