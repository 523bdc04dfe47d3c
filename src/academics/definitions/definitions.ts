import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { advisoryLocks } from '../../database/locks.ts';
import type { AttributeChoice, AttributeDefinition } from '../../generated/prisma/client.ts';
import type { AttributeKind } from '../rules/value-forms.ts';

export type Choice = Pick<AttributeChoice, 'value' | 'label' | 'retired' | 'replacedBy'>;

/** What an attribute is in this university. */
export interface Definition extends Omit<AttributeDefinition, 'kind'> {
  readonly kind: AttributeKind;
  /** In the order of pickers. */
  readonly choices: readonly Choice[];
}

const choices = `SELECT coalesce(json_agg(json_build_object(
    'value', value, 'label', label, 'retired', retired, 'replacedBy', replaced_by) ORDER BY position), '[]')
  FROM attribute_choices WHERE definition_id = attribute_definitions.id`;

/** SQL of all definitions, in the order of forms. */
export const definitionsInOrder = `SELECT id, key, of_programs AS "ofPrograms", of_branches AS "ofBranches", label, help,
    kind, required, position, version, (${choices}) AS choices
  FROM attribute_definitions ORDER BY position`;

/** All definitions. They judge each change, so no limit of a response holds for them. */
export const listDefinitions = (db: AnyTransaction): Promise<Definition[]> =>
  queryRows<Definition>(db, { text: definitionsInOrder, values: [] });

type Identified = Pick<Definition, 'id' | 'version'>;

/** Whether definitions are still as they were read. */
export const areCurrent = (tx: AnyTransaction, definitions: readonly Definition[]): Promise<boolean> =>
  areThose(tx, definitions, 'SELECT id, version FROM attribute_definitions WHERE id = ANY ($1::int[])');

/** The same; if so, nobody removes a choice of them until the transaction ends. Else one could be set and removed at once. */
export const holdDefinitions = (tx: AnyTransaction, definitions: readonly Definition[]): Promise<boolean> =>
  areThose(
    tx,
    definitions,
    `WITH turn AS MATERIALIZED (
        SELECT count(pg_advisory_xact_lock_shared(${advisoryLocks.definition}, id)) AS taken
        FROM (SELECT unnest($1::int[]) AS id ORDER BY id) AS given
      ) SELECT id, version FROM attribute_definitions WHERE id = ANY ($1::int[]) AND (SELECT taken FROM turn) > 0
      ORDER BY id FOR KEY SHARE`,
  );

async function areThose(tx: AnyTransaction, definitions: readonly Definition[], text: string): Promise<boolean> {
  if (definitions.length === 0) return true;
  const rows = await queryRows<Identified>(tx, { text, values: [definitions.map(({ id }) => id)] });
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return definitions.every(({ id, version }) => versions.get(id) === version);
}
