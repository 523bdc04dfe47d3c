import { Link } from '@tanstack/react-router';
import { UndoButton } from '../bulk/undo-button.tsx';
import { pluralize } from '../format/text.ts';
import { Ago } from '../format/time.tsx';
import { verbFor } from '../history/feed.ts';
import { RecordLink } from '../records/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import type { OverviewQuery } from './documents.generated.ts';

type Change = OverviewQuery['lastChanges'][number];

/** What was changed last, newest first: imports and changes of many records are one each. */
export function RecentChanges({ changes }: { readonly changes: readonly Change[] }) {
  const { canWrite } = useRights();
  return (
    <section className="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Last changes</h2>
      <ol className="feed" aria-live="polite" aria-relevant="additions">
        {changes.map((change) => (
          <li key={change.changeId}>
            <p className="name-text">
              <strong>{change.actor ?? 'Somebody'}</strong> {verbFor(change.action)} <Changed {...change} />{' '}
              <span className="hint">
                <Ago at={change.at} />
              </span>{' '}
              {change.isUndone && <span className="badge">undone</span>}
            </p>
            {canWrite && !change.isUndone && (
              <UndoButton
                className="button quiet row-action"
                changeId={change.changeId}
                label={`Undo: ${verbFor(change.action)} ${recordCount(change) > 1 ? recordsOf(change) : change.name}`}
                text="Undo"
                {...(recordCount(change) > 1 && {
                  question: `${recordsOf(change)} become what they were before. Those that somebody has changed since stay as they are.`,
                })}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const recordCount = ({ programs, branches }: Change): number => programs + branches;

/** `3,816 programs and 8,972 branches`. */
const recordsOf = ({ programs, branches }: Change): string =>
  [programs > 0 && pluralize(programs, 'program'), branches > 0 && pluralize(branches, 'branch', 'branches')]
    .filter((text) => text !== false)
    .join(' and ') || 'nothing';

function Changed(change: Change) {
  const { changeId, action, kind, recordId, name, programs, branches } = change;
  const { canAdminister } = useRights();
  // A program that is deleted or restored takes its branches with it.
  const isOne = recordCount(change) === 1 || (programs === 1 && (action === 'DELETE' || action === 'RESTORE'));
  if (isOne && kind !== null && recordId !== null) {
    return (
      <>
        the {kind.toLowerCase()}{' '}
        <RecordLink kind={kind} id={recordId}>
          {name}
        </RecordLink>
        {programs === 1 && branches > 0 && ` with ${pluralize(branches, 'branch', 'branches')}`}
      </>
    );
  }
  return canAdminister ? (
    <Link to="/audit" search={{ change: changeId }}>
      {recordsOf(change)}
    </Link>
  ) : (
    recordsOf(change)
  );
}
