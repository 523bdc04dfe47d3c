import { Link } from '@tanstack/react-router';
import { use, useId } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { UndoButton } from '../bulk/undo-button.tsx';
import { UndoOffered } from '../bulk/use-undo.ts';
import { Button } from '../components/button.tsx';
import { useFieldNames } from '../fields/field-names.ts';
import { Time } from '../format/time.tsx';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { type ChangeFragment, LastChangesDocument } from './documents.generated.ts';
import { countsOf, describeAction, describeChange, didOf, partsOf } from './feed.ts';

interface LastChangesProps {
  readonly title: string;
  readonly first: number;
  /** Imports alone. */
  readonly imports?: boolean;
}

/** What was changed last, newest first, to undo it: imports and changes of many records are one each. */
export function LastChanges({ title, first, imports = false }: LastChangesProps) {
  const id = useId();
  const [{ data, error }, reload] = useQuery({ query: LastChangesDocument, variables: { first, imports } });
  if (error !== undefined) return <ErrorNotice error={error} retry={() => reload()} />;
  if (data === undefined || data.lastChanges.length === 0) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol className="feed" aria-live="polite" aria-relevant="additions">
        {data.lastChanges.map((change) => (
          <LastChange key={change.changeId} change={change} />
        ))}
      </ol>
    </section>
  );
}

/** A change as a whole, with its undo. */
export function LastChange({ change }: { readonly change: ChangeFragment }) {
  const { actor, at, programs, branches, file, created, changed, skipped, isUndone } = change;
  const { canWrite } = useRights();
  const nameOf = useFieldNames();
  const did = describeAction(change, describeChange(change, nameOf));
  const who = actor ?? t('common.somebody');
  return (
    <li>
      <p className="name-text">
        <strong>{who}</strong>{' '}
        {t.rich('history.did', {
          ...didOf(change),
          what: () => (
            <>
              {file !== null && (
                <>
                  <bdi>{file}</bdi>
                  {t('common.colon')}
                </>
              )}
              <Changed {...change} />
              {created !== null &&
                changed !== null &&
                ` ${t('history.newAndChanged', { created, changed, skipped: skipped ?? 0 })}`}
            </>
          ),
        })}{' '}
        <Time at={at} /> {isUndone && <span className="badge">{t('history.undone')}</span>}
      </p>
      {canWrite && !isUndone && programs + branches > 0 && (
        <UndoChange change={change} did={did} text={t('history.whoDid', { who, did })} />
      )}
    </li>
  );
}

interface UndoChangeProps {
  readonly change: ChangeFragment;
  readonly did: string;
  readonly text: string;
}

/** Asks first: with the values that come back, or of an import, which would take minutes to tell, with their number. */
function UndoChange({ change, did, text }: UndoChangeProps) {
  const { changeId, action } = change;
  const undoOffered = use(UndoOffered);
  const button = { look: 'quiet', className: 'row-action' } as const;
  const label = t('history.undoOf', { what: did });
  if (action === 'IMPORT') {
    const question = `${text} ${t('history.undoQuestion', { what: countsOf(change) })}`;
    return <UndoButton {...button} {...{ changeId, label, question }} text={t('common.undo')} />;
  }
  return (
    <Button {...button} aria-label={label} onClick={() => undoOffered({ changeId, text, isListed: true })}>
      {t('common.undo')}
    </Button>
  );
}

function Changed(change: ChangeFragment) {
  const { changeId, action, kind, recordId, name, fields, programs, branches } = change;
  const [field, ...otherFields] = fields ?? [];
  const { canSeeHistory } = useRights();
  const nameOf = useFieldNames();
  // A program that is deleted or restored takes its branches with it.
  const isOne = programs + branches === 1 || (programs === 1 && (action === 'DELETE' || action === 'RESTORE'));
  if (isOne && kind !== null && recordId !== null) {
    return (
      <>
        {t.rich(field === undefined || otherFields.length > 0 ? 'history.theRecord' : 'history.fieldOf', {
          field: nameOf(field ?? ''),
          kind,
          name: name ?? '',
          record: (text) => (
            <RecordLink kind={kind} id={recordId}>
              {text}
            </RecordLink>
          ),
        })}
        {programs === 1 && branches > 0 && t('history.withBranches', { count: branches })}
      </>
    );
  }
  const parts = partsOf(change, nameOf);
  if (!canSeeHistory) return parts;
  return (
    <Link to="/changes" search={{ change: changeId }}>
      {parts}
    </Link>
  );
}
