import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import type { BulkAction } from '../bulk/nouns.ts';
import { readRecords } from '../bulk/read-records.ts';
import { Button, TaskButton } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { nameSome } from '../format/text.ts';
import { hasDraft, removeDraft } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { NewNote } from '../note/new-note.tsx';
import { Overlay } from '../overlays/overlay.tsx';
import { toast, toastFailure, toastLasting } from '../overlays/toast-queue.ts';
import { ReplaceDialog } from '../paste/find-and-replace.tsx';
import { sayWhy } from '../session/session.ts';
import type { Listed } from '../table/columns.ts';
import type { Selection } from '../table/use-selection.ts';

/** The most records that one change may have. */
const selectedMax = 1_000;

const actionsOf = {
  PROGRAM: ['change', 'replace', 'delete'],
  BRANCH: ['change', 'replace', 'move', 'delete'],
} as const;

interface SelectionBarProps {
  readonly kind: RecordKind;
  readonly selection: Selection;
  readonly list: Pick<UsedPageList<Listed>, 'items' | 'loadAll'>;
  /** The number of all records that match, if it is known. */
  readonly total: number | undefined;
  /** Whether they are in the trash. */
  readonly isDeleted?: boolean;
  readonly changed: () => void;
}

/** The number of selected records, and what can be done with them. */
export function SelectionBar({ kind, selection, list, total, isDeleted = false, changed }: SelectionBarProps) {
  const [open, setOpen] = useState<BulkAction | 'replace' | 'note' | null>(null);
  const { size } = selection.ids;
  const all = Math.min(total ?? selectedMax, selectedMax);
  const isLimited = total !== undefined && total > selectedMax;
  const selectMatching = async (): Promise<void> => {
    const items = await list.loadAll(selectedMax);
    if (items === null) toastFailure(sayWhy(t('common.unreadable')));
    else selection.set(items.map(({ id }) => id));
  };
  const finish = (): void => {
    selection.clear();
    changed();
  };
  const ids = [...selection.ids];
  const actions: readonly (BulkAction | 'replace')[] = isDeleted ? ['restore'] : actionsOf[kind];
  return (
    <section className="selection-bar" aria-label={t('listBar.selection')} tabIndex={-1}>
      <p role="status">{t('listBar.countSelected', { kind, count: size })}</p>
      {size < all && (
        <TaskButton look="quiet" busyText={t('listBar.selecting')} run={selectMatching}>
          {total === undefined
            ? t('listBar.selectAllMatching')
            : t(isLimited ? 'listBar.selectFirst' : 'listBar.selectMatching', { count: all })}
        </TaskButton>
      )}
      {isLimited && size >= all && <p className="hint">{t('listBar.atMost', { count: selectedMax })}</p>}
      {actions.map((action) => (
        <Button key={action} look="quiet" onClick={() => setOpen(action)}>
          {t(`action.${action}`)}
        </Button>
      ))}
      {!isDeleted && (
        <Button look="quiet" onClick={() => setOpen('note')}>
          {t('notes.add')}
        </Button>
      )}
      {!isDeleted && (
        <Link
          to="/transfer"
          search={kind === 'PROGRAM' ? { ids: ids.join() } : { branchIds: ids.join() }}
          className="button quiet"
        >
          {t('common.export')}
        </Link>
      )}
      <Button look="quiet" onClick={selection.clear}>
        {t('listBar.clear')}
      </Button>
      {open === 'replace' && <ReplaceDialog kind={kind} ids={ids} changed={finish} close={() => setOpen(null)} />}
      {open === 'note' && <SelectionNote kind={kind} ids={ids} close={() => setOpen(null)} />}
      {open !== null && open !== 'replace' && open !== 'note' && (
        <BulkDialog kind={kind} action={open} ids={ids} changed={finish} close={() => setOpen(null)} />
      )}
    </section>
  );
}

interface SelectionNoteProps {
  readonly kind: RecordKind;
  readonly ids: readonly number[];
  readonly close: () => void;
}

/** A note on each of the selected records; those that are deleted are named. */
function SelectionNote({ kind, ids, close }: SelectionNoteProps) {
  const client = useClient();
  const [problem, setProblem] = useState<string>();
  const draft = `notes-${kind}`;
  const nameDeleted = async (deleted: readonly number[]): Promise<string> => {
    const records = await readRecords(client, kind, deleted, true);
    const nameOf = (id: number): string =>
      records?.find((record) => record.id === id)?.name ?? t('records.recordNumber', { kind, id: String(id) });
    return t('cells.rowsDeleted', { names: nameSome(deleted.map(nameOf)) });
  };
  const sayWritten = async (deleted: readonly number[]): Promise<void> => {
    close();
    const written = t('notes.written', { count: ids.length - deleted.length });
    if (deleted.length === 0) toast(written);
    else toastLasting(`${written} ${await nameDeleted(deleted)}`);
  };
  return (
    <Overlay
      title={t('notes.onEach', { kind, count: ids.length })}
      hasTyped={hasDraft(draft)}
      close={() => {
        removeDraft(draft);
        close();
      }}
    >
      {problem !== undefined && <Notice>{problem}</Notice>}
      <NewNote
        kind={kind}
        ids={ids}
        draft={draft}
        autoFocus
        done={(deleted) => void sayWritten(deleted)}
        noneLeft={() => void nameDeleted(ids).then(setProblem)}
        close={close}
      />
    </Overlay>
  );
}
