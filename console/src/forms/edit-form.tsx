import type { OperationResult } from '@urql/core';
import { type ReactNode, useState } from 'react';
import type { Done, FieldProblems } from '../api/errors.ts';
import { toast, toastText } from '../components/toast-queue.ts';
import { Compare } from './compare.tsx';
import type { FieldValue, FieldValues } from './drafts.ts';
import { Form } from './form.tsx';
import { useEdit, type Versioned } from './use-edit.ts';
import { useSubmit } from './use-submit.ts';

interface Edited<Values> {
  readonly values: Values;
  readonly change: (name: string, value: FieldValue) => void;
  readonly problems: FieldProblems;
}

interface EditFormProps<Values extends FieldValues, Stored extends Versioned, Data> {
  readonly label: string;
  /** The kind of record, in lower case. */
  readonly what: string;
  readonly draftName: string;
  /** The current record, live. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  readonly labels: Readonly<Record<string, string>>;
  readonly save: (input: Partial<Values> & { expectedVersion: number }) => Promise<OperationResult<Data>>;
  /** The name in the response. */
  readonly nameIn: (data: Done<Data>) => string;
  readonly refresh: () => void;
  readonly close: () => void;
  readonly children: (edited: Edited<Values>) => ReactNode;
}

/** Edits a record in place; shows both versions side by side after a conflict. */
export function EditForm<Values extends FieldValues, Stored extends Versioned, Data>({
  label,
  what,
  draftName,
  record,
  valuesOf,
  labels,
  save,
  nameIn,
  refresh,
  close: closeForm,
  children,
}: EditFormProps<Values, Stored, Data>) {
  const edit = useEdit(draftName, record, valuesOf);
  const close = (): void => {
    edit.discard();
    closeForm();
  };
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
        // After a conflict, the comparison needs the newer version.
        if (result.error !== undefined) refresh();
        return result;
      },
      (data) => {
        toast(toastText`${nameIn(data)} was saved.`);
        close();
      },
    );
  };
  // A problem with an earlier version may be gone.
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
