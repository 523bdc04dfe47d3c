import type { OperationResult } from '@urql/core';
import { type ReactNode, useState } from 'react';
import type { FieldProblems } from '../api/errors.ts';
import { toast, toastText } from '../components/toast-queue.ts';
import { Compare } from './compare.tsx';
import { Form } from './form.tsx';
import type { FieldValue, FieldValues } from './use-draft.ts';
import { useEdit, type Versioned } from './use-edit.ts';
import { useSubmit } from './use-submit.ts';

/** What the fields of a form show, and where they say what was typed. */
interface Edited<Values> {
  readonly values: Values;
  readonly change: (name: string, value: FieldValue) => void;
  readonly problems: FieldProblems;
}

interface EditFormProps<Values extends FieldValues, Stored extends Versioned, Data> {
  readonly label: string;
  /** What kind of record it is, in the middle of a sentence. */
  readonly what: string;
  /** As it is now, live. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  readonly labels: Readonly<Record<string, string>>;
  readonly save: (input: Partial<Values> & { expectedVersion: number }) => Promise<OperationResult<Data>>;
  /** The name of the record, as the service has saved it. */
  readonly nameIn: (data: Data) => string;
  readonly refresh: () => void;
  readonly close: () => void;
  readonly children: (edited: Edited<Values>) => ReactNode;
}

/** The fields of a record, to change them in place; both versions side by side when somebody else was faster. */
export function EditForm<Values extends FieldValues, Stored extends Versioned, Data>({
  label,
  what,
  record,
  valuesOf,
  labels,
  save,
  nameIn,
  refresh,
  close,
  children,
}: EditFormProps<Values, Stored, Data>) {
  const edit = useEdit(record, valuesOf);
  const { problems, message, code, isSending, submit } = useSubmit(Object.keys(labels));
  const [sentVersion, setSentVersion] = useState(record.version);
  const send = (): void => {
    const values = edit.changes();
    if (Object.keys(values).length === 0) {
      close();
      return;
    }
    setSentVersion(record.version);
    void submit(
      async () => {
        const result = await save({ ...values, expectedVersion: edit.expectedVersion });
        // Their version is needed for the comparison.
        if (result.error !== undefined) refresh();
        return result;
      },
      (data) => {
        toast(toastText`${nameIn(data)} was saved.`);
        close();
      },
    );
  };
  // What the service said to another version of the record may no longer be true.
  const isAboutNow = code !== 'CONFLICT' && sentVersion === record.version;
  return (
    <Form
      label={label}
      submitText="Save"
      isSending={isSending}
      message={isAboutNow ? message : null}
      onSubmit={send}
      onCancel={close}
    >
      {edit.hasConflict ? (
        <Compare what={what} differences={edit.differences} labels={labels} choose={edit.choose} />
      ) : (
        children({ values: edit.typed, change: edit.change, problems })
      )}
    </Form>
  );
}
