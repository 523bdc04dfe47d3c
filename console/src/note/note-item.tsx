import { Check, RotateCcw, Trash2 } from 'lucide-react';
import { type OperationResult, useMutation } from 'urql';
import { toastOutcome } from '../api/toast-outcome.ts';
import { IconButton } from '../components/button.tsx';
import { Time } from '../format/time.tsx';
import { t } from '../language/language.ts';
import { strong } from '../language/tags.ts';
import { RecordLink, type RecordReference } from '../links/record-link.tsx';
import { ask } from '../overlays/overlay.tsx';
import { useRights } from '../session/viewer.tsx';
import { DeleteNoteDocument, MarkNoteDocument, type NoteFieldsFragment } from './documents.generated.ts';

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
  const title = t('notes.delete');
  const run = (): void => void remove({ id }).then(report);
  return (
    <li>
      <span className="name-text">
        {record !== null && (kind !== at?.kind || record.id !== at.id) && (
          <RecordLink kind={kind} id={record.id}>
            {record.name}
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
    </li>
  );
}
