import { useRef } from 'react';
import { type OperationResult, useMutation, useQuery } from 'urql';
import { isRecordMissing } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { Select, TextField } from '../components/fields.tsx';
import { Form, fieldOf } from '../forms/form.tsx';
import { giveUp, useDraft } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { AddNoteDocument, type AddNoteMutation, AddresseesDocument } from './documents.generated.ts';

/** The record, for filters and new notes. */
export const recordOf = ({ kind, id }: RecordReference) => (kind === 'PROGRAM' ? { programId: id } : { branchId: id });

export const noteDraft = ({ kind, id }: RecordReference): string => `note-${kind}-${id}`;

const empty = { text: '', addressee: '' };

interface NewNoteProps {
  readonly kind: RecordKind;
  /** Of the records: each has a note. */
  readonly ids: readonly number[];
  readonly draft: string;
  /** The name of the one record. */
  readonly about?: string;
  readonly autoFocus: boolean;
  /** After at least one was written: those without one are deleted. */
  readonly done?: (deleted: readonly number[]) => void;
  /** None was written, as all records are deleted. */
  readonly noneLeft?: () => void;
  readonly close: () => void;
}

export function NewNote({ kind, ids, draft, about, autoFocus, done, noneLeft, close }: NewNoteProps) {
  const [{ data }] = useQuery({ query: AddresseesDocument, requestPolicy: 'cache-first' });
  const [, add] = useMutation(AddNoteDocument);
  const { values, change, withIdempotencyKey, clear } = useDraft(draft, empty, about);
  const { text, addressee } = values;
  const people = data?.colleagues.map(({ id, name }) => ({ value: String(id), text: name })) ?? [];
  const deleted = useRef<readonly number[]>([]);
  /** One after the other, until one fails: sent again, those that are written stay as they are. Deleted records are left out. */
  const send = async (): Promise<OperationResult<AddNoteMutation> | null> => {
    let written: OperationResult<AddNoteMutation> | null = null;
    let missing: OperationResult<AddNoteMutation> | null = null;
    deleted.current = [];
    for (const id of ids) {
      const input = { ...recordOf({ kind, id }), text, addresseeId: addressee === '' ? null : Number(addressee) };
      const result = await add({ input }, withIdempotencyKey(`-${id}`));
      if (result.error === undefined) written = result;
      else if (!isRecordMissing(result.error)) return result;
      else {
        missing = result;
        deleted.current = [...deleted.current, id];
      }
    }
    if (written === null && missing !== null) noneLeft?.();
    return written ?? missing;
  };
  const leave = (): void => {
    clear();
    close();
  };
  return (
    <Form
      label={t('notes.add')}
      submitText={t('common.save')}
      fields={['text']}
      send={send}
      done={() => {
        clear();
        done?.(deleted.current);
      }}
      onCancel={() => giveUp(text.trim() !== '', leave)}
    >
      {(problems) => (
        <>
          <TextField
            label={t('notes.text')}
            rows={2}
            isRequired
            autoFocus={autoFocus}
            {...fieldOf({ values, change, problems })('text')}
          />
          <Select
            label={t('notes.whom')}
            value={addressee}
            options={[{ value: '', text: t('notes.nobody') }, ...people]}
            onChange={(chosen) => change('addressee', chosen)}
          />
        </>
      )}
    </Form>
  );
}
