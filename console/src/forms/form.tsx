import type { CombinedError, OperationResult } from '@urql/core';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  codeOf,
  type Done,
  describeError,
  type FieldProblems,
  isDone,
  isTemporary,
  problemsOf,
} from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import type { Note } from '../components/fields.tsx';
import { Notice } from '../components/notices.tsx';
import { keyLabel } from '../format/key-label.ts';
import { t } from '../language/language.ts';
import type { FieldValue, FieldValues } from './drafts.ts';
import { limitOf } from './text-limits.ts';

/** What a form has for its fields. */
export interface FormState<Values> {
  readonly values: Values;
  readonly change: (name: string, value: FieldValue) => void;
  /** The messages of the service, by field. */
  readonly problems: FieldProblems;
  /** What is said below a field, by its label. */
  readonly noteOf?: (name: string, textOf?: (value: FieldValue) => string) => Note | undefined;
}

/** The properties of a text field of a form, by its name. */
export const fieldOf =
  ({ values, change, problems, noteOf }: FormState<FieldValues>) =>
  (name: string) => ({
    field: name,
    value: String(values[name] ?? ''),
    onChange: (value: string): void => change(name, value),
    problem: problems[name],
    note: noteOf?.(name),
    max: limitOf(name),
  });

interface FormProps<Data> {
  readonly label: string;
  readonly submitText: string;
  /** The names of its fields: problems of others are said below them. */
  readonly fields: readonly string[];
  /** `null`: there is nothing to send, or nothing to say of what was sent. */
  readonly send: () => Promise<OperationResult<Data> | null> | null;
  /** `goesOn`: the user wants to make another one; `hasTyped`: has changed a field since it was sent. */
  readonly done: (data: Done<Data>, goesOn: boolean, hasTyped: boolean) => void;
  /** Offers to make another one after it. */
  readonly nextText?: string;
  /** `isUnsaved`: the user has changed a field, and not saved that. */
  readonly onCancel: (isUnsaved: boolean) => void;
  /** Of the edited record: what was said of an earlier one may no longer be true, and a conflict shows both. */
  readonly version?: number;
  /** What it would replace cannot have been read yet. */
  readonly isHeld?: boolean;
  readonly children: (problems: FieldProblems) => ReactNode;
}

interface Failure {
  readonly error: CombinedError;
  readonly version: number | undefined;
}

/**
 * Sends its fields, never twice at the same time, and shows the problems beside them. The browser says what it cannot read,
 * such as a day without a month: the value is empty then, though nobody has emptied it.
 */
export function Form<Data>(props: FormProps<Data>) {
  const { label, submitText, nextText, fields, send, done, onCancel, version, isHeld = false, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const inFlight = useRef(false);
  const hasTyped = useRef(false);
  const isUnsaved = useRef(false);
  const problems = failure === null ? {} : problemsOf(failure.error);
  const message = failure === null || isOutdated(failure, version) ? '' : messageOf(failure.error, fields);
  const focusOn = (selector: string): void => form.current?.querySelector<HTMLElement>(selector)?.focus();
  const focusProblem = useEffectEvent(() => focusOn('[aria-invalid="true"], .compare input:enabled'));
  // Screen readers read the problem of the focused field.
  useEffect(() => {
    if (failure !== null && !hasTyped.current) focusProblem();
  }, [failure]);
  const submit = async (goesOn: boolean): Promise<void> => {
    const sending = inFlight.current || isHeld ? null : send();
    if (sending === null) {
      focusOn('.compare:not(:has(:checked)) input:enabled');
      return;
    }
    inFlight.current = true;
    hasTyped.current = false;
    setIsSending(true);
    const { data, error } = (await sending) ?? {};
    inFlight.current = false;
    setIsSending(false);
    setFailure(error === undefined ? null : { error, version });
    if (error !== undefined || !isDone(data)) return;
    isUnsaved.current = hasTyped.current;
    done(data, goesOn, hasTyped.current);
  };
  const goOn = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (nextText === undefined || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (event.currentTarget.reportValidity()) void submit(true);
  };
  return (
    <form
      onKeyDown={goOn}
      onInput={() => {
        hasTyped.current = true;
        isUnsaved.current = true;
      }}
      ref={form}
      aria-label={label}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        void submit(submitter instanceof HTMLButtonElement && submitter.value === 'next');
      }}
    >
      {children(problems)}
      {message !== '' && <Notice look="bad">{message}</Notice>}
      <div className="actions">
        <Button type="submit" look="primary" isBusy={isSending || isHeld}>
          {isSending ? t('forms.saving') : submitText}
        </Button>
        {nextText !== undefined && (
          <Button type="submit" value="next" isBusy={isSending} title={keyLabel('Ctrl Enter')}>
            {nextText}
          </Button>
        )}
        <Button onClick={() => onCancel(isUnsaved.current)}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}

const isOutdated = ({ error, version }: Failure, now: number | undefined): boolean =>
  !isTemporary(error) && (version !== now || (now !== undefined && codeOf(error) === 'CONFLICT'));

/** What is said below the fields: the error, or the problems of fields that the form does not have. */
function messageOf(error: CombinedError, fields: readonly string[]): string {
  const problems = Object.entries(problemsOf(error));
  if (problems.length === 0) return describeError(error);
  return problems.flatMap(([field, texts]) => (fields.includes(field) ? [] : texts)).join(' ');
}
