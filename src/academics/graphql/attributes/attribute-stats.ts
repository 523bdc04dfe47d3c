import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { validateInput } from '../../../validation/validate.ts';
import { attributeKey } from '../../rules/attributes.ts';
import {
  type AttributeKey,
  attributeKeys,
  attributeKeysMax,
  branchesByAttribute,
  programsByAttribute,
} from '../../sql/attributes.ts';
import type { Group } from '../../sql/stats.ts';
import { CatalogStats } from '../catalog-stats.ts';

const AttributeKeyType = builder.objectRef<AttributeKey>('AttributeKey').implement({
  description: 'A key of attributes that records have.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key.' }),
    programs: t.exposeInt('programs', { description: 'Number of programs with this attribute.' }),
    branches: t.exposeInt('branches', { description: 'Number of branches with this attribute.' }),
  }),
});

const AttributeValueCount = builder.objectRef<Group<string>>('AttributeValueCount').implement({
  description: 'Number of records with a value of an attribute.',
  fields: (t) => ({
    value: t.exposeString('key', { description: 'The value.' }),
    count: t.exposeInt('count', { description: 'Number of records.' }),
  }),
});

const firstMax = 100;

const valuesRequest = z.object({
  key: attributeKey,
  first: z
    .int()
    .min(1, 'first must be at least 1.')
    .nullish()
    .transform((first) => Math.min(first ?? firstMax, firstMax)),
});

const counted = [
  { name: 'programsByAttribute', records: 'programs', read: programsByAttribute },
  { name: 'branchesByAttribute', records: 'branches', read: branchesByAttribute },
] as const;

builder.objectFields(CatalogStats, (t) => ({
  attributeKeys: t.field({
    type: [AttributeKeyType],
    description: `The keys of attributes in use, ordered by key, at most ${attributeKeysMax} of them.`,
    resolve: (_stats, _args, { reading }) => attributeKeys(reading.db),
  }),
}));

for (const { name, records, read } of counted) {
  builder.objectField(CatalogStats, name, (t) =>
    t.field({
      type: [AttributeValueCount],
      description: `Number of ${records} per value of an attribute, most frequent first.`,
      args: {
        key: t.arg.string({ required: true, description: 'Key of the attribute.' }),
        first: t.arg.int({
          defaultValue: firstMax,
          description: `Number of values; larger ones are clamped to ${firstMax}.`,
        }),
      },
      resolve: (_stats, args, { reading }) => {
        const { key, first } = validateInput(valuesRequest, args);
        return read(reading.db, key, first);
      },
    }),
  );
}
