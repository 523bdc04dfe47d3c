import { z } from 'zod';
import { type Affects, defineRead, defineWrite } from '../../operations/operation.ts';
import { attributeKey } from '../rules/attributes.ts';
import { definitionInput } from './definition-input.ts';
import { deleteDefinition, saveDefinition } from './save-definition.ts';

export const readDefinitions = defineRead({
  name: 'attributeDefinitions',
  access: 'programs:read',
  // Of no record: what changes a definition is logged as a change of everything.
  scope: 'records',
  input: z.object({}),
  // Those in memory: read for each request, they would take its share of it once more.
  run: async (_input, reading) => (await reading.request.app.definitions.read(reading)).list,
});

const shared = { access: 'admin', transaction: 'short', affects: (): Affects => 'everything' } as const;

export const saveAttributeDefinition = defineWrite({
  ...shared,
  name: 'saveAttributeDefinition',
  input: definitionInput,
  run: (input, { tx, actor, request }) => {
    request.app.definitions.changedBy(request);
    return saveDefinition(tx, actor, input);
  },
});

export const deleteAttributeDefinition = defineWrite({
  ...shared,
  name: 'deleteAttributeDefinition',
  input: z.object({ key: attributeKey }),
  run: ({ key }, { tx, actor, request }) => {
    request.app.definitions.changedBy(request);
    return deleteDefinition(tx, actor, key);
  },
});
