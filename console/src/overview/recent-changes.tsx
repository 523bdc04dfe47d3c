import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useUndo } from '../bulk/use-undo.ts';
import { Confirm } from '../components/confirm.tsx';
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
  const [asked, setAsked] = useState<Change | null>(null);
  const undo = useUndo();
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
              <Button
                className="button quiet row-action"
                aria-label={`Undo: ${verbFor(change.action)} ${change.name ?? recordsOf(change)}`}
                onPress={() => (recordCount(change) > 1 ? setAsked(change) : void undo(change.changeId))}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ol>
      {asked !== null && (
        <Confirm
          title="Undo a change"
          action="Undo it"
          run={() => void undo(asked.changeId)}
          close={() => setAsked(null)}
        >
          {recordsOf(asked)} become what they were before. Those that somebody has changed since stay as they are.
        </Confirm>
      )}
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
