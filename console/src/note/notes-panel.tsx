import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../api/errors.ts';
import { Select, TextField } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { AddNoteDocument, AddresseesDocument, NotesDocument } from './documents.generated.ts';
import { NoteItem } from './note-item.tsx';

export interface NotesPanelProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
}

/** The record, for filters and new notes. */
export const recordOf = ({ kind, id }: NotesPanelProps) => (kind === 'PROGRAM' ? { programId: id } : { branchId: id });

/** The open notes of a record, of a program with those of its branches, and a new one. */
export function NotesPanel(props: NotesPanelProps) {
  const { canRead, canWrite } = useRights();
  const variables = { filter: { ...recordOf(props), done: false }, first: 100 };
  const [{ data }] = useQuery({ query: NotesDocument, variables, pause: !canRead });
  const notes = data?.notes.nodes ?? [];
  if (notes.length === 0 && !canWrite) return null;
  return (
    <section className="stack" aria-label={t('notes.title')}>
      {notes.length > 0 && (
        <>
          <h2>{t('notes.title')}</h2>
          <ol className="feed">
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} at={props.id} />
            ))}
          </ol>
        </>
      )}
      {canWrite && (
        <details>
          <summary>{t('notes.add')}</summary>
          <NewNote {...props} />
        </details>
      )}
    </section>
  );
}

function NewNote(props: NotesPanelProps) {
  const [{ data }] = useQuery({ query: AddresseesDocument, requestPolicy: 'cache-first' });
  const [{ error, fetching }, add] = useMutation(AddNoteDocument);
  const [text, setText] = useState('');
  const [addressee, setAddressee] = useState('');
  const people = data?.colleagues.map(({ id, name }) => ({ value: String(id), text: name })) ?? [];
  const send = async (): Promise<void> => {
    const input = { ...recordOf(props), text, addresseeId: addressee === '' ? null : Number(addressee) };
    const { error: problem } = await add({ input });
    if (problem === undefined) setText('');
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fetching) void send();
      }}
    >
      <TextField
        label={t('notes.text')}
        rows={2}
        isRequired
        value={text}
        onChange={setText}
        problem={error && describeError(error)}
      />
      <Select
        label={t('notes.whom')}
        value={addressee}
        options={[{ value: '', text: t('notes.nobody') }, ...people]}
        onChange={setAddressee}
      />
      <button type="submit" className="button primary">
        {t('common.save')}
      </button>
    </form>
  );
}
