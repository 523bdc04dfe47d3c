import { Check, RotateCcw, StickyNote, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type OperationResult, useMutation } from 'urql';
import { toastOutcome } from '../api/toast-outcome.ts';
import { IconButton } from '../components/button.tsx';
import { Time } from '../format/time.tsx';
import { hasDraft, removeDraft } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { strong } from '../language/tags.ts';
import { RecordLink, type RecordReference } from '../links/record-link.tsx';
import { ask, Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { DeleteNoteDocument, MarkNoteDocument, type NoteFieldsFragment } from './documents.generated.ts';
import { NewNote, noteDraft } from './new-note.tsx';

interface NoteItemProps {
  readonly note: NoteFieldsFragment;
  /** The record whose notes are shown; a link leads to any other. */
  readonly at?: RecordReference;
}

/** A note, with what the user may do with it. */
export function NoteItem({ note, at }: NoteItemProps) {
  const { id, kind, text, author, isOwn, addressee, createdAt, doneAt, doneBy, program, branch } = note;
  const { canWrite, canAdminister } = useRights();
  const [, mark] = useMutation(MarkNoteDocument);
  const [, remove] = useMutation(DeleteNoteDocument);
  const report = ({ error }: OperationResult): void => toastOutcome(error);
  const record = branch ?? program;
  const other = record !== null && (kind !== at?.kind || record.id !== at.id) ? { ...record, kind } : null;
  const [isAnswering, setIsAnswering] = useState(false);
  const title = t('notes.delete');
  const run = (): void => void remove({ id }).then(report);
  return (
    <li>
      <span className="name-text">
        {other !== null && (
          <RecordLink kind={kind} id={other.id}>
            {other.name}
          </RecordLink>
        )}
      </span>
      {/* One line, which opens to all of it. */}
      <details className="name-text" translate="no">
        <summary title={text}>{text}</summary>
      </details>
      <span className="hint name-text">
        {t.rich('notes.of', { author, has: addressee === null ? 'no' : 'yes', for: addressee ?? '', strong })}
      </span>
      <span className="hint name-text">
        {doneAt !== null && t('notes.doneBy', { name: doneBy ?? '' })} <Time at={doneAt ?? createdAt} />
      </span>
      {canWrite && (
        <span className="note-actions">
          {other !== null && (
            <IconButton
              icon={StickyNote}
              text={t('notes.another', { name: other.name })}
              onClick={() => setIsAnswering(true)}
            />
          )}
          {(isOwn || canAdminister) && (
            <IconButton
              icon={Trash2}
              text={title}
              onClick={() => ask({ title, text: t('notes.deleteQuestion'), action: title, run })}
            />
          )}
          <IconButton
            icon={doneAt === null ? Check : RotateCcw}
            text={t(doneAt === null ? 'notes.markDone' : 'notes.reopen')}
            onClick={() => void mark({ id, done: doneAt === null }).then(report)}
          />
        </span>
      )}
      {isAnswering && other !== null && <AnotherNote record={other} close={() => setIsAnswering(false)} />}
    </li>
  );
}

interface AnotherNoteProps {
  readonly record: RecordReference & { readonly name: string };
  readonly close: () => void;
}

/** A new note on the record of another, such as the answer to it. */
function AnotherNote({ record, close }: AnotherNoteProps) {
  const { kind, id, name } = record;
  const draft = noteDraft(record);
  return (
    <Overlay
      title={t('notes.another', { name })}
      hasTyped={hasDraft(draft)}
      close={() => {
        removeDraft(draft);
        close();
      }}
    >
      <NewNote
        kind={kind}
        ids={[id]}
        draft={draft}
        about={name}
        autoFocus
        done={() => {
          toast(t('notes.written', { count: 1 }));
          close();
        }}
        close={close}
      />
    </Overlay>
  );
}
