import { useNavigate } from '@tanstack/react-router';
import type { CombinedError, OperationResult } from '@urql/core';
import { useRef, useState } from 'react';
import { codeOf, type Done, describeError, type FieldProblems, isDone, problemsOf } from '../api/errors.ts';
import { toast } from '../components/toast-queue.ts';
import { recordRoute } from '../records/record-route.ts';
import { warningsOf } from './warnings.ts';

interface Outcome {
  readonly problems: FieldProblems;
  /** A problem without a field. */
  readonly message: string | null;
  readonly code: string | null;
}

const none: Outcome = { problems: {}, message: null, code: null };

/** Sends a form, never twice at the same time, keeps the problems, and shows warnings. */
export function useSubmit(fields: readonly string[]) {
  const [outcome, setOutcome] = useState<Outcome>(none);
  const [isSending, setIsSending] = useState(false);
  const inFlight = useRef(false);
  const showWarnings = useShowWarnings();
  const submit = async <Data>(
    send: () => Promise<OperationResult<Data>>,
    done: (data: Done<Data>) => void,
  ): Promise<void> => {
    if (inFlight.current) return;
    inFlight.current = true;
    setIsSending(true);
    const { data, error, extensions } = await send();
    inFlight.current = false;
    setIsSending(false);
    setOutcome(error === undefined ? none : outcomeOf(error, fields));
    if (error !== undefined || !isDone(data)) return;
    done(data);
    showWarnings(extensions);
  };
  const { problems, code, message } = outcome;
  return { problems, code, form: { message, isSending }, submit };
}

function outcomeOf(error: CombinedError, fields: readonly string[]): Outcome {
  const problems = problemsOf(error);
  // Problems of fields that the form does not have.
  const others = Object.entries(problems).flatMap(([field, texts]) => (fields.includes(field) ? [] : texts));
  const message = Object.keys(problems).length === 0 ? describeError(error) : others.join(' ');
  return { problems, message: message === '' ? null : message, code: codeOf(error) };
}

/** Shows each warning of a response, with a way to the record that it is about. */
function useShowWarnings(): (extensions: unknown) => void {
  const navigate = useNavigate();
  return (extensions) => {
    for (const { message, kind, otherId } of warningsOf(extensions)) {
      toast(
        message,
        otherId === undefined ? undefined : { label: 'Show it', run: () => void navigate(recordRoute(kind, otherId)) },
      );
    }
  };
}
