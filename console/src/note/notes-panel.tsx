import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { NotesDocument } from './documents.generated.ts';
import { recordOf } from './new-note.tsx';
import { NoteItem } from './note-item.tsx';

interface NotesPanelProps extends RecordReference {
  /** A new one. */
  readonly children: ReactNode;
}

/** The open notes of a record, of a program with those of its branches. */
export function NotesPanel({ children, ...at }: NotesPanelProps) {
  const { canRead } = useRights();
  const variables = { filter: { ...recordOf(at), done: false }, first: 100 };
  const [{ data }] = useQuery({ query: NotesDocument, variables, pause: !canRead });
  const notes = data?.notes.nodes ?? [];
  if (notes.length === 0 && !children) return null;
  return (
    <section className="stack" aria-label={t('notes.title')}>
      {notes.length > 0 && (
        <>
          <h2>{t('notes.title')}</h2>
          <ol className="notes">
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} at={at} />
            ))}
          </ol>
        </>
      )}
      {children}
    </section>
  );
}
