import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { type Colleague, listColleagues } from '../colleagues.ts';

const ColleagueType = builder.objectRef<Colleague>('Colleague').implement({
  description: 'A user to whom a note can be addressed.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the user.' }),
    name: t.exposeString('name', { description: 'Unique name of the user.' }),
  }),
});

const readColleagues = defineRead({
  name: 'colleagues',
  access: 'programs:write',
  scope: 'uncacheable',
  input: z.object({}),
  run: (_input, { db }) => listColleagues(db),
});

builder.queryField('colleagues', (t) =>
  t.field({
    type: [ColleagueType],
    description:
      'The active users who may read the catalog, ordered by name. Needs the permission `programs:write`; `users` has everything about all of them.',
    ...reads(readColleagues),
  }),
);
