import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Select, TextField } from '../components/fields.tsx';
import { hasDraft } from '../forms/drafts.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../records/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { AddNoteDocument, AddresseesDocument, NotesDocument } from './documents.generated.ts';
import { NoteItem } from './note-item.tsx';

/** The record, for filters and new notes. */
export const recordOf = ({ kind, id }: RecordReference) => (kind === 'PROGRAM' ? { programId: id } : { branchId: id });

export const noteDraft = ({ kind, id }: RecordReference): string => `note-${kind}-${id}`;

/** The open notes of a record, of a program with those of its branches, and a new one. */
export function NotesPanel(props: RecordReference) {
  const { canRead, canWrite } = useRights();
  const variables = { filter: { ...recordOf(props), done: false }, first: 100 };
  const [{ data }] = useQuery({ query: NotesDocument, variables, pause: !canRead });
  const notes = data?.notes.nodes ?? [];
  const [hadDraft] = useState(() => hasDraft(noteDraft(props)));
  const [isAdding, setIsAdding] = useState(hadDraft);
  if (notes.length === 0 && !canWrite) return null;
  return (
    <section className="stack" aria-label={t('notes.title')}>
      {notes.length > 0 && (
        <>
          <h2>{t('notes.title')}</h2>
          <ol className="feed">
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} at={props} />
            ))}
          </ol>
        </>
      )}
      {canWrite && (
        <details open={isAdding} onToggle={({ currentTarget }) => setIsAdding(currentTarget.open)}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control of the browser. The toggle comes later, and what is typed until then would be lost. */}
          <summary
            onClick={(event) => {
              event.preventDefault();
              setIsAdding(!isAdding);
            }}
          >
            {t('notes.add')}
          </summary>
          {isAdding && <NewNote {...props} autoFocus={!hadDraft} close={() => setIsAdding(false)} />}
        </details>
      )}
    </section>
  );
}

const empty = { text: '', addressee: '' };

interface NewNoteProps extends RecordReference {
  readonly autoFocus: boolean;
  readonly close: () => void;
}

function NewNote({ autoFocus, close, ...props }: NewNoteProps) {
  const [{ data }] = useQuery({ query: AddresseesDocument, requestPolicy: 'cache-first' });
  const [, add] = useMutation(AddNoteDocument);
  const { values, change, withIdempotencyKey, clear } = useDraft(noteDraft(props), empty);
  const { text, addressee } = values;
  const people = data?.colleagues.map(({ id, name }) => ({ value: String(id), text: name })) ?? [];
  return (
    <Form
      label={t('notes.add')}
      submitText={t('common.save')}
      fields={['text']}
      send={() => {
        const input = { ...recordOf(props), text, addresseeId: addressee === '' ? null : Number(addressee) };
        return add({ input }, withIdempotencyKey);
      }}
      done={() => clear()}
      onCancel={() => {
        clear();
        close();
      }}
    >
      {(problems) => (
        <>
          <TextField
            label={t('notes.text')}
            rows={2}
            isRequired
            autoFocus={autoFocus}
            value={text}
            onChange={(typed) => change('text', typed)}
            problem={problems['text']}
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
