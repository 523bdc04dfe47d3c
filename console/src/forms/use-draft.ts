import { useState } from 'react';
import * as z from 'zod/mini';
import { t } from '../language/language.ts';
import { ask } from '../overlays/overlay.tsx';
import {
  type FieldValue,
  type FieldValues,
  fieldValues,
  hasDraft,
  mergeValues,
  readDraft,
  removeDraft,
  useShownDraft,
  writeDraft,
} from './drafts.ts';

export const storedNew = z.object({ values: fieldValues, idempotencyKey: z.string() });

/**
 * The draft of a new record, stored with its idempotency key, so that a reload can send the same values again without a
 * second record. Other values have another key.
 *
 * @param about The name of the record that it belongs to.
 */
export function useDraft<Values extends FieldValues>(name: string, initial: Values, about?: string) {
  useShownDraft(name);
  const [{ values, idempotencyKey }, setDraft] = useState(() => {
    const found = readDraft(name, storedNew);
    return found === null ? newDraft(initial) : { ...found, values: mergeValues(initial, found.values) };
  });
  /** `next`: what the next record begins with. */
  const clear = (next: Values = initial): void => {
    // What was typed while these values were sent has another key, and stays.
    if (readDraft(name, storedNew)?.idempotencyKey !== idempotencyKey) return;
    removeDraft(name);
    setDraft(newDraft(next));
  };
  return {
    values,
    change: (field: string, value: FieldValue): void => {
      const draft = newDraft({ ...values, [field]: value });
      if (JSON.stringify(draft.values) === JSON.stringify(initial)) removeDraft(name);
      else writeDraft(name, { ...draft, about });
      setDraft(draft);
    },
    /** Context of the mutation that creates the record; of several, with what tells them apart. */
    withIdempotencyKey: (part = '') => keyed(idempotencyKey + part),
    clear,
    cancel: (leave: () => void): void =>
      giveUp(hasDraft(name), () => {
        clear();
        leave();
      }),
  };
}

/** Gives up what was typed in a form, after a question if there is something. */
export function giveUp(hasTyped: boolean, run: () => void): void {
  if (hasTyped) ask({ title: t('components.closeUnsaved'), action: t('common.close'), run });
  else run();
}

const newDraft = <Values>(values: Values) => ({ values, idempotencyKey: randomId() });

/** Context of a mutation that, sent again with the same key, is not made again but has its first answer. */
export const keyed = (key: string) => ({ fetchOptions: { headers: { 'Idempotency-Key': key } } });

export type Keyed = ReturnType<typeof keyed>;

/** `crypto.randomUUID` is missing on a page without TLS. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
