import type { CombinedError, OperationResult } from '@urql/core';
import { useRef, useState } from 'react';
import { codeOf, type Done, describeError, type FieldProblems, isDone, problemsOf } from '../api/errors.ts';

interface Outcome {
  readonly problems: FieldProblems;
  /** A problem without a field. */
  readonly message: string | null;
  readonly code: string | null;
}

const none: Outcome = { problems: {}, message: null, code: null };

/** Sends a form, never twice at the same time, and keeps the problems. */
export function useSubmit(fields: readonly string[]) {
  const [outcome, setOutcome] = useState<Outcome>(none);
  const [isSending, setIsSending] = useState(false);
  const inFlight = useRef(false);
  const submit = async <Data>(
    send: () => Promise<OperationResult<Data>>,
    done: (data: Done<Data>) => void,
  ): Promise<void> => {
    if (inFlight.current) return;
    inFlight.current = true;
    setIsSending(true);
    const { data, error } = await send();
    inFlight.current = false;
    setIsSending(false);
    setOutcome(error === undefined ? none : outcomeOf(error, fields));
    if (error === undefined && isDone(data)) done(data);
  };
  return { ...outcome, isSending, submit, reset: () => setOutcome(none) };
}

function outcomeOf(error: CombinedError, fields: readonly string[]): Outcome {
  const problems = problemsOf(error);
  // Problems of fields that the form does not have.
  const others = Object.entries(problems).flatMap(([field, texts]) => (fields.includes(field) ? [] : texts));
  const message = Object.keys(problems).length === 0 ? describeError(error) : others.join(' ');
  return { problems, message: message === '' ? null : message, code: codeOf(error) };
}
