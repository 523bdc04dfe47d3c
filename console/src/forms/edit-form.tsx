import type { OperationResult } from '@urql/core';
import { type FocusEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { codeOf, isTemporary } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { toast } from '../overlays/toast-queue.ts';
import { editDraft, type FieldValues, hasDraft } from './drafts.ts';
import { FieldNote } from './field-note.tsx';
import { Form, type FormState } from './form.tsx';
import { keepSent } from './own-saves.ts';
import { giveUp, type Keyed, keyed, randomId } from './use-draft.ts';
import { useEdit, type Versioned } from './use-edit.ts';

/** The outcome of a mutation, whose only field is the record. */
type Saved = OperationResult<Readonly<Record<string, Pick<Versioned, 'version'> | null>>>;

interface EditFormProps<Values extends FieldValues, Stored extends Versioned> {
  readonly kind: RecordKind;
  /** The current record, live. */
  readonly record: Stored;
  readonly valuesOf: (record: Stored) => Values;
  readonly fields: readonly string[];
  readonly save: (input: Partial<Values> & { expectedVersion: number }, context: Keyed) => Promise<Saved>;
  readonly refresh: () => Promise<Stored | undefined>;
  readonly close: () => void;
  readonly children: (edited: FormState<Values>) => ReactNode;
}

interface LostSave {
  readonly values: FieldValues;
  readonly key: string;
  readonly version: number;
}

/** Edits a record in place. What others save meanwhile appears in and below its fields. */
export function EditForm<Values extends FieldValues, Stored extends Versioned>(props: EditFormProps<Values, Stored>) {
  const { kind, record, valuesOf, fields, save, refresh, close, children } = props;
  const [hadDraft] = useState(() => hasDraft(editDraft(kind, record.id)));
  const edit = useEdit(kind, record, valuesOf);
  const savedName = useRef(record.name);
  const isCancelled = useRef(false);
  /** The values that are being saved: to leave them loses nothing. */
  const saving = useRef<Values | null>(null);
  /** The save whose answer was lost: the same values are sent as they were, and get that, unless the user decides anew. */
  const lost = useRef<LostSave | null>(null);
  /** After a change of other fields by somebody else it saves again, on top of that. */
  const saveChanges = async (values: Partial<Values>, version: number): Promise<Saved | null> => {
    const sent = values as FieldValues;
    const isSame = JSON.stringify(lost.current?.values) === JSON.stringify(values);
    const repeated = isSame ? lost.current : null;
    const tried = repeated ?? { values: sent, key: randomId(), version };
    const expectedVersion = tried.version;
    const ended = keepSent([{ kind, id: record.id, values: sent }], tried.key);
    const result = await save({ ...values, expectedVersion }, keyed(tried.key));
    lost.current = result.error !== undefined && isTemporary(result.error) ? tried : null;
    ended(Object.values(result.data ?? {})[0]?.version ?? (lost.current === null ? null : 0));
    if (result.error === undefined && repeated === null) return result;
    const later = await refresh();
    if (result.error === undefined) {
      if (later === undefined || edit.has(later, sent)) return result;
      edit.keepSaved(sent);
      return null;
    }
    const isNewer = later !== undefined && later.version > expectedVersion;
    if (codeOf(result.error) !== 'CONFLICT' || !isNewer || edit.isOvertaken(later, sent)) return result;
    return saveChanges(values, later.version);
  };
  const noteOf: FormState<Values>['noteOf'] = (name, textOf = String) => {
    const saved = edit.newsOf(name);
    if (saved === undefined) return undefined;
    return (label) => (
      <FieldNote
        label={label}
        {...saved}
        choose={(side) => {
          lost.current = null;
          edit.choose(name, side);
        }}
        textOf={textOf}
      />
    );
  };
  const saySaved = (): void => toast(t.rich('common.saved', { name: savedName.current, bdi }));
  const closeIfStored = useEffectEvent(() => {
    if (!hadDraft || !edit.isStored) return;
    edit.discard();
    close();
  });
  // What is left of a page whose save had no answer may have been saved.
  useEffect(() => closeIfStored(), []);
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => edit.setFocused(target.dataset['field']);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it learns which field has the focus.
    <div className="edit" onFocus={onFocus} onBlur={() => edit.setFocused(undefined)}>
      {hadDraft && <p className="hint">{t('forms.notSaved')}</p>}
      <Form
        label={t(kind === 'PROGRAM' ? 'forms.editProgram' : 'forms.editBranch')}
        submitText={t('common.save')}
        fields={fields}
        version={record.version}
        send={() => {
          if (edit.isUndecided) return null;
          const values = edit.send();
          savedName.current = String(values['name'] ?? record.name);
          if (Object.keys(values).length > 0) {
            saving.current = edit.values;
            return saveChanges(values, record.version).finally(() => {
              saving.current = null;
            });
          }
          if (lost.current !== null && edit.has(record, lost.current.values)) saySaved();
          if (edit.end()) close();
          return null;
        }}
        done={() => {
          saySaved();
          // The record may be edited anew by now.
          if (!isCancelled.current && edit.end()) close();
        }}
        onCancel={() =>
          giveUp(edit.isUnsaved && JSON.stringify(saving.current) !== JSON.stringify(edit.values), () => {
            isCancelled.current = true;
            edit.discard();
            close();
          })
        }
      >
        {(problems) => children({ values: edit.values, change: edit.change, problems, noteOf })}
      </Form>
    </div>
  );
}
