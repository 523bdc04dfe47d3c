import { useState } from 'react';
import * as z from 'zod/mini';

/** What a field of a form holds. */
export type FieldValue = string | number | boolean;
export type FieldValues = Readonly<Record<string, FieldValue>>;

const stored = z.object({
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  idempotencyKey: z.string(),
  sent: z.nullable(z.string()),
});

interface Draft<Values> {
  readonly values: Values;
  /** Sent with every attempt: however often the form is sent, it creates once. */
  readonly idempotencyKey: string;
  /** What was sent under that key. */
  readonly sent: string | null;
}

/**
 * The values of a form that creates something. They survive a reload of the page, with the key under which they were sent:
 * a response that was lost can be asked for again. Other values are another request, and get another key.
 */
export function useDraft<Values extends FieldValues>(name: string, initial: Values) {
  const place = `console-draft-${name}`;
  const [draft, setDraft] = useState<Draft<Values>>(() => readDraft(place, initial));
  const write = (next: Draft<Values>): Draft<Values> => {
    sessionStorage.setItem(place, JSON.stringify(next));
    setDraft(next);
    return next;
  };
  return {
    values: draft.values,
    change: (changes: Partial<Values>): void => void write({ ...draft, values: { ...draft.values, ...changes } }),
    /** The key of the attempt that begins now. */
    keyForAttempt: (): string => {
      const sending = JSON.stringify(draft.values);
      const isOther = draft.sent !== null && draft.sent !== sending;
      return write({
        ...draft,
        sent: sending,
        idempotencyKey: isOther ? randomId() : draft.idempotencyKey,
      }).idempotencyKey;
    },
    /** Goes back to the initial values, under another key. */
    clear: (): void => {
      sessionStorage.removeItem(place);
      setDraft(newDraft(initial));
    },
  };
}

const newDraft = <Values>(values: Values): Draft<Values> => ({ values, idempotencyKey: randomId(), sent: null });

function readDraft<Values extends FieldValues>(place: string, initial: Values): Draft<Values> {
  const text = sessionStorage.getItem(place);
  if (text === null) return newDraft(initial);
  try {
    const { values, ...rest } = stored.parse(JSON.parse(text));
    const kept = Object.entries(initial).map(([field, value]) => {
      const found = values[field];
      return [field, typeof found === typeof value ? found : value];
    });
    return { ...rest, values: Object.fromEntries(kept) };
  } catch {
    return newDraft(initial);
  }
}

/** Unlike `crypto.randomUUID`, it is there on a page without TLS, too. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
