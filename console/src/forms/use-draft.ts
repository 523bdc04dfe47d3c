import { useState } from 'react';
import * as z from 'zod/mini';
import {
  type FieldValue,
  type FieldValues,
  fieldValues,
  mergeValues,
  readDraft,
  removeDraft,
  writeDraft,
} from './drafts.ts';

const stored = z.object({ values: fieldValues, idempotencyKey: z.string(), sent: z.nullable(z.string()) });

interface Draft<Values> {
  readonly values: Values;
  /** Sent with every attempt, so that several create one record. */
  readonly idempotencyKey: string;
  /** The values that were sent with this key. */
  readonly sent: string | null;
}

/**
 * The draft of a new record. It is stored with its idempotency key: after a reload, the same values can be sent again
 * without creating a second record. Other values get another key.
 */
export function useDraft<Values extends FieldValues>(name: string, initial: Values) {
  const [draft, setDraft] = useState<Draft<Values>>(() => {
    const found = readDraft(name, stored);
    return found === null ? newDraft(initial) : { ...found, values: mergeValues(initial, found.values) };
  });
  const write = (next: Draft<Values>): Draft<Values> => {
    writeDraft(name, next);
    setDraft(next);
    return next;
  };
  return {
    values: draft.values,
    change: (name: string, value: FieldValue): void =>
      void write({ ...draft, values: { ...draft.values, [name]: value } }),
    keyForAttempt: (): string => {
      const sending = JSON.stringify(draft.values);
      const isOther = draft.sent !== null && draft.sent !== sending;
      const idempotencyKey = isOther ? randomId() : draft.idempotencyKey;
      return write({ ...draft, sent: sending, idempotencyKey }).idempotencyKey;
    },
    clear: (): void => {
      removeDraft(name);
      setDraft(newDraft(initial));
    },
  };
}

const newDraft = <Values>(values: Values): Draft<Values> => ({ values, idempotencyKey: randomId(), sent: null });

/** `crypto.randomUUID` is missing on a page without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
