import { builder } from '../../graphql/builder.ts';
import type { FieldChange, RecordChange, RecordChangeAction } from '../record-change.ts';
import { RecordKindEnum } from '../record-kind.ts';

const actions: Readonly<Record<RecordChangeAction, { readonly description: string }>> = {
  CREATE: { description: 'The record came to be.' },
  UPDATE: { description: 'Fields of the record changed.' },
  DELETE: { description: 'The record was deleted.' },
  RESTORE: { description: 'The record was restored after a deletion.' },
};

const RecordChangeActionEnum = builder.enumType('RecordChangeAction', {
  description: 'What happened to a record.',
  values: actions,
});

const attributesPrefix = 'attributes.';

const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A field of a record, with its old and its new value.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'The field: `name`, `years`, `programId`; an attribute as `attributes.level`.',
    }),
    label: t.string({
      nullable: true,
      description: 'How people call the attribute; `null` where nothing defines it.',
      resolve: async ({ field }, _args, { reading }) => {
        if (!field.startsWith(attributesPrefix)) return null;
        const defined = await reading.request.app.definitions.read(reading);
        return defined.labelOf(field.slice(attributesPrefix.length)) ?? null;
      },
    }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'The old value; `null` for none.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'The new value; `null` for none.' }),
  }),
});

export const RecordChangeType = builder.objectRef<RecordChange>('RecordChange').implement({
  description: 'A record with the old and the new values of the fields that differ.',
  fields: (t) => ({
    kind: t.expose('kind', { type: RecordKindEnum, description: 'Type of the record.' }),
    recordId: t.exposeInt('recordId', { description: 'Identifier of the record.' }),
    action: t.expose('action', { type: RecordChangeActionEnum, description: 'What happened to it.' }),
    name: t.exposeString('name', { description: 'Its new name; of a deleted record, its last one.' }),
    programId: t.exposeInt('programId', { nullable: true, description: 'The program of a branch.' }),
    programName: t.exposeString('programName', { nullable: true, description: 'Name of the program of a branch.' }),
    fields: t.expose('fields', {
      type: [FieldChangeType],
      description: 'The fields that differ; of a record that came to be or was deleted, those with a value.',
    }),
  }),
});

/** Describes the field of what a dry run says. */
export const dryRunChanges =
  'With `dryRun`, the old and new values of the first 1,000 records that would change, programs first; else empty, as `changeEntries` has them.';
