import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { countOf } from '../bulk/nouns.ts';
import { UndoButton } from '../bulk/undo-button.tsx';
import { Time } from '../format/time.tsx';
import { RecordLink } from '../records/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { LastChangesDocument, type LastChangesQuery } from './documents.generated.ts';
import { countsOf, describeChange, verbFor } from './feed.ts';

type Summary = LastChangesQuery['lastChanges'][number];

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

function LastChange({ change }: { readonly change: Summary }) {
  const { changeId, actor, action, at, programs, branches, file, isUndone } = change;
  const { canWrite } = useRights();
  const isOne = programs + branches === 1;
  return (
    <li>
      <p className="name-text">
        <strong>{actor ?? 'Somebody'}</strong> {verbFor(action)} {file !== null && <bdi>{file}: </bdi>}
        <Changed {...change} /> <Time at={at} /> {isUndone && <span className="badge">undone</span>}
      </p>
      {canWrite && !isUndone && programs + branches > 0 && (
        <UndoButton
          className="button quiet row-action"
          changeId={changeId}
          label={`Undo: ${verbFor(action)} ${describeChange(change)}`}
          text="Undo"
          {...(!isOne && {
            question: `${countsOf(change)} become what they were before. Those that somebody has changed since stay as they are.`,
          })}
        />
      )}
    </li>
  );
}

function Changed(change: Summary) {
  const { changeId, action, kind, recordId, name, programs, branches } = change;
  const { canAdminister } = useRights();
  // A program that is deleted or restored takes its branches with it.
  const isOne = programs + branches === 1 || (programs === 1 && (action === 'DELETE' || action === 'RESTORE'));
  if (isOne && kind !== null && recordId !== null) {
    return (
      <>
        the {kind.toLowerCase()}{' '}
        <RecordLink kind={kind} id={recordId}>
          {name}
        </RecordLink>
        {programs === 1 && branches > 0 && ` with ${countOf('BRANCH', branches)}`}
      </>
    );
  }
  if (!canAdminister) return countsOf(change);
  return (
    <Link to="/audit" search={{ change: changeId }}>
      {countsOf(change)}
    </Link>
  );
}
