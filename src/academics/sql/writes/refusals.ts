import type { Details } from '@service/errors/problems';
import type { RecordKind } from '../../kinds.ts';

/**
 * A value that a change must not set, with the rule that it breaks; null: an attribute that it must not remove. A value
 * that a record has already stays, whatever a rule says.
 */
export interface Refusal {
  readonly kind: RecordKind;
  readonly key: string;
  readonly value: string | null;
  readonly rule: string;
  /** `field` is the attribute as forms call it: `attributes.level`. */
  readonly details: Details;
}

/** SELECT of the records of `planned` that get a refused value, by a parameter with the refusals. */
export const refusedRecords = (parameter: string): string => `
  SELECT planned.kind, planned.id, refusal.rule, refusal.details
  FROM planned JOIN json_to_recordset(${parameter}::json)
    AS refusal (kind text, key text, value text, rule text, details jsonb) ON refusal.kind = planned.kind
  WHERE after -> 'attributes' ->> key IS NOT DISTINCT FROM value
    AND before -> 'attributes' ->> key IS DISTINCT FROM value`;
