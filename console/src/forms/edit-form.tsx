import type { OperationResult } from '@urql/core';
import { type ReactNode, useState } from 'react';
import type { Done } from '../api/errors.ts';
import { toast, toastText } from '../components/toast-queue.ts';
import { Compare } from './compare.tsx';
import type { FieldValues } from './drafts.ts';
import type { FormState } from './field-of.ts';
import { Form } from './form.tsx';
import { useEdit, type Versioned } from './use-edit.ts';
import { useSubmit } from './use-submit.ts';

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
  readonly children: (edited: FormState<Values>) => ReactNode;
}

/** Edits a record in place; shows both versions side by side after a conflict. */
export function EditForm<Values extends FieldValues, Stored extends Versioned, Data>(
  props: EditFormProps<Values, Stored, Data>,
) {
  const { label, what, draftName, record, valuesOf, labels, save, nameIn, refresh, children } = props;
  const edit = useEdit(draftName, record, valuesOf);
  const close = (): void => {
    edit.discard();
    props.close();
  };
  const { problems, code, form, submit } = useSubmit(Object.keys(labels));
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
      {...form}
      message={isAboutNow ? form.message : null}
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
