import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { UndoButton } from '../bulk/undo-button.tsx';
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
  const { changeId, actor, at, programs, branches, file, created, changed, isUndone } = change;
  const { canWrite } = useRights();
  const nameOf = useFieldNames();
  const isOne = programs + branches === 1;
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
              {created !== null && changed !== null && ` ${t('history.newAndChanged', { created, changed })}`}
            </>
          ),
        })}{' '}
        <Time at={at} /> {isUndone && <span className="badge">{t('history.undone')}</span>}
      </p>
      {canWrite && !isUndone && programs + branches > 0 && (
        <UndoButton
          look="quiet"
          className="row-action"
          changeId={changeId}
          label={t('history.undoOf', { what: did })}
          text={t('common.undo')}
          {...(!isOne && { question: t('history.undoQuestion', { who, did, what: countsOf(change) }) })}
        />
      )}
    </li>
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
