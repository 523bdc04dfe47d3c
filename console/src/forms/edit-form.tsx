import type { OperationResult } from '@urql/core';
import type { ReactNode } from 'react';
import { toast, toastText } from '../components/toast-queue.ts';
import { Compare } from './compare.tsx';
import { editDraft, type FieldValues } from './drafts.ts';
import { Form, type FormState } from './form.tsx';
import { useEdit, type Versioned } from './use-edit.ts';

interface EditFormProps<Values extends FieldValues, Stored extends Versioned> {
  readonly kind: 'program' | 'branch';
  /** The current record, live. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  readonly labels: Readonly<Record<string, string>>;
  readonly save: (input: Partial<Values> & { expectedVersion: number }) => Promise<OperationResult<unknown>>;
  readonly refresh: () => void;
  readonly close: () => void;
  readonly children: (edited: FormState<Values>) => ReactNode;
}

/** Edits a record in place; shows both versions side by side after a conflict. */
export function EditForm<Values extends FieldValues, Stored extends Versioned>(props: EditFormProps<Values, Stored>) {
  const { kind, record, valuesOf, labels, save, refresh, children } = props;
  const edit = useEdit(editDraft(kind, record.id), record, valuesOf);
  const close = (): void => {
    edit.discard();
    props.close();
  };
  const saveChanges = async (values: Partial<Values>): Promise<OperationResult<unknown>> => {
    const result = await save({ ...values, expectedVersion: record.version });
    // After a conflict, the comparison needs the newer version.
    if (result.error !== undefined) refresh();
    return result;
  };
  return (
    <Form
      label={`Edit ${kind}`}
      submitText="Save"
      fields={Object.keys(labels)}
      version={record.version}
      send={() => {
        const values = edit.changes();
        if (Object.keys(values).length > 0) return saveChanges(values);
        close();
        return null;
      }}
      done={() => {
        toast(toastText`${String(edit.changes()['name'] ?? record.name)} was saved.`);
        close();
      }}
      onCancel={close}
    >
      {(problems) =>
        edit.hasConflict ? (
          <Compare what={kind} differences={edit.differences} labels={labels} choose={edit.choose} />
        ) : (
          children({ values: edit.typed, change: edit.change, problems })
        )
      }
    </Form>
  );
}
