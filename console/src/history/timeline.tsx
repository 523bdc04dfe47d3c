import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { Time } from '../format/time.tsx';
import { valueIn } from '../forms/attributes.ts';
import { editDraft, putInDraft } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { Earlier, ListState } from '../lists/list-state.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { NotesDocument } from '../note/documents.generated.ts';
import { recordOf } from '../note/new-note.tsx';
import { NoteItem } from '../note/note-item.tsx';
import { useRights } from '../session/viewer.tsx';
import { describeMissing } from '../table/use-printing.ts';
import { changedFields, type Names } from './changed-fields.ts';
import { ChangedValues } from './changed-values.tsx';
import { HistoryDocument, type HistoryQuery } from './documents.generated.ts';
import { type Entry, foldChanges, happened, isOwn, nameIn, summaryOf } from './feed.ts';
import { useNames } from './use-names.ts';

/** More entries are loaded by a button alone. */
const entriesMax = 1_000;

const historyIn = ({ program, branch }: HistoryQuery) => (program ?? branch)?.history;

interface TimelineProps {
  readonly owner: RecordReference;
  /** Opens the form of the owner, with its draft. */
  readonly edit: () => void;
}

/** The history of a record, newest first: that of a program with its branches. */
export function Timeline({ owner, edit }: TimelineProps) {
  const list = usePageList(HistoryDocument, { id: owner.id, isProgram: owner.kind === 'PROGRAM' }, historyIn);
  useListChanges(true, list.reload, ({ action, programId, branchId, previousProgramId }) =>
    owner.kind === 'BRANCH'
      ? branchId === owner.id || action === 'RELOAD'
      : programId === owner.id || previousProgramId === owner.id || action === 'RELOAD',
  );
  const names = useNames(list.items);
  const [{ data }] = useQuery({
    query: NotesDocument,
    variables: { filter: { ...recordOf(owner), done: true }, first: 100 },
  });
  const last = list.items.at(-1)?.at ?? '';
  const notes = (data?.notes.nodes ?? []).map((note) => ({ at: note.doneAt ?? '', note }));
  const folded = foldChanges(list.items);
  const { hasNext, isLoading, loadMore } = list;
  // A change is counted whole, however many of its entries a page has.
  const mayGoOn = hasNext && !isLoading && (folded.at(-1)?.length ?? 0) > 1 && list.items.length < entriesMax;
  useEffect(() => {
    if (mayGoOn) loadMore();
  }, [mayGoOn, loadMore]);
  const changes = folded.map((entries) => ({ at: entries[0]?.at ?? '', entries }));
  const rows = [...changes, ...notes.filter(({ at }) => !list.hasNext || at >= last)];
  return (
    <section className="stack" aria-labelledby="history-title">
      <h2 id="history-title">{t('history.title')}</h2>
      <ListState list={list} />
      <ol className="feed">
        {rows
          .toSorted((one, other) => other.at.localeCompare(one.at))
          .map((row) =>
            'note' in row ? (
              <NoteItem key={row.note.id} note={row.note} at={owner} />
            ) : (
              <Change key={row.entries[0]?.changeId} entries={row.entries} owner={owner} edit={edit} names={names} />
            ),
          )}
      </ol>
      {list.hasNext && <p className="on-paper">{describeMissing(list.items.length, undefined)}</p>}
      <Earlier list={list} />
    </section>
  );
}

interface ChangeProps {
  readonly entries: readonly Entry[];
  readonly owner: RecordReference;
  readonly edit: () => void;
  readonly names: Names;
}

function Change({ entries, ...props }: ChangeProps) {
  const [first] = entries;
  if (first === undefined) return null;
  return (
    <li>
      {entries.length === 1 ? (
        <Happened entry={first} {...props} withActor />
      ) : (
        <details>
          <summary>
            <strong className="name-text">{first.actor}</strong> {summaryOf(entries, props.owner)}{' '}
            {first.undoes !== null && t('history.byUndo')} <Time at={first.at} />{' '}
            {entries.every(({ undoneBy }) => undoneBy !== null) && <span className="badge">{t('history.undone')}</span>}
          </summary>
          <ol>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Happened entry={entry} {...props} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

interface HappenedProps extends Omit<ChangeProps, 'entries'> {
  readonly entry: Entry;
  readonly withActor?: boolean;
}

function Happened({ entry, owner, edit, names, withActor = false }: HappenedProps) {
  const { action, actor, at, subjectId, before, after, undoneBy, undoes } = entry;
  const { canWrite } = useRights();
  const navigate = useNavigate();
  const done = happened(entry, names);
  const own = isOwn(entry, owner);
  const putBack = (field: string, old: unknown): void => {
    if (subjectId === null) return;
    putInDraft(editDraft(own ? owner.kind : 'BRANCH', subjectId), field, old, nameIn(entry));
    if (own) edit();
    else void navigate({ to: '/branches/$branchId', params: { branchId: subjectId } });
  };
  return (
    <>
      <p className="name-text">
        {withActor && <strong>{actor}</strong>}{' '}
        {own || subjectId === null
          ? t('history.own', done)
          : t.rich('history.ofBranch', {
              ...done,
              name: String(valueIn(after, 'name') ?? valueIn(before, 'name') ?? subjectId),
              record: (text) => (
                <Link to="/branches/$branchId" params={{ branchId: subjectId }}>
                  {text}
                </Link>
              ),
            })}{' '}
        {undoes !== null && t('history.byUndo')} {withActor && <Time at={at} />}{' '}
        {undoneBy !== null && <span className="badge">{t('history.undone')}</span>}
      </p>
      {action === 'UPDATE' && (
        <ChangedValues fields={changedFields(before, after, names)} putBack={canWrite ? putBack : undefined} />
      )}
    </>
  );
}
