import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from 'urql';
import { describeError } from '../api/errors.ts';
import { isUndoForField } from '../browser/keys.ts';
import { PreviewUndoDocument, type PreviewUndoMutation } from '../bulk/documents.generated.ts';
import { ProblemRecords } from '../bulk/problem-records.tsx';
import { isLastUndoKnown, type OfferedUndo, useUndo } from '../bulk/use-undo.ts';
import { useUnsavedCells } from '../cells/unsaved-store.ts';
import { Button } from '../components/button.tsx';
import { useFieldNames } from '../fields/field-names.ts';
import { formatAgo } from '../format/text.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast, toastFailure } from '../overlays/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { type ChangeFragment, LastChangesDocument } from './documents.generated.ts';
import { describeAction, describeChange } from './feed.ts';
import { ChangePreview } from './record-changes.tsx';
import { isNewestOf, rootOf, toRedo, toUndo } from './undo-chains.ts';

/** Among so many changes of everybody, one's own is looked for. */
const changesMax = 50;
/** An older change is not undone before the user has read what it was. */
const recentMs = 10 * 60_000;

const fresh = { requestPolicy: 'network-only' } as const;

interface Question {
  readonly changeId: string;
  readonly what: string | null;
  /** What the undo would do. */
  readonly preview: PreviewUndoMutation['undoChange'];
}

/** The last undo, if its answer was lost; `isSettled`: it is known by now whether it was done. */
let lost: { readonly changeId: string; readonly words: string; readonly isSettled: boolean } | null = null;

interface UndoLastProps {
  readonly way: 'undo' | 'redo';
  /** The change that a message offers to undo, instead of the last one. */
  readonly offered?: OfferedUndo;
  readonly close: () => void;
}

/**
 * Undoes the user's last own change of the catalog, or brings back what they have undone, and says what it was. Asks first
 * if that is large, old or not the first undo, or if nobody knows whether the undo before was done: the same key pressed
 * again must not undo the next change unseen. What a message offers is asked about if the user has changed something since. Of one whose answer was lost, it first says whether it was done. Undoes nothing if the user has begun to type by then: a question would take
 * the letters, and the space among them would answer it.
 */
export function UndoLast({ way, offered, close }: UndoLastProps) {
  const client = useClient();
  const undo = useUndo();
  const user = useRights().viewer.name ?? '';
  const nameOf = useFieldNames();
  const [question, setQuestion] = useState<Question | null>(null);
  const unsent = useUnsavedCells().filter(({ problem }) => problem === undefined);
  const isOvertaken = (): boolean => {
    if (!isUndoForField({ target: document.activeElement })) return false;
    toast(t('history.overtaken', { way }));
    close();
    return true;
  };
  const describe = (change: ChangeFragment): string =>
    t('history.youDid', { did: describeAction(change, describeChange(change, nameOf)), ago: formatAgo(change.at) });
  const run = async (changeId: string, what: string | null): Promise<void> => {
    close();
    const words = what === null ? undefined : t('history.undoneSo', { way, what });
    if (await undo(changeId, words)) offered?.undone?.();
    lost = isLastUndoKnown() || words === undefined ? null : { changeId, words, isSettled: false };
  };
  const ask = async (changeId: string, what: string | null): Promise<void> => {
    const { data } = await client.mutation(PreviewUndoDocument, { changeId });
    if (offered === undefined && isOvertaken()) return;
    setQuestion({ changeId, what, preview: data?.undoChange ?? null });
  };
  /** Of a change that is no longer listed, only the message says what it was. */
  const beginOffered = ({ changeId }: OfferedUndo, changes: readonly ChangeFragment[]): Promise<void> => {
    const change = changes.find((one) => one.changeId === changeId);
    const isPlain = isNewestOf(changes, changeId, user) && unsent.length === 0;
    return (isPlain ? run : ask)(changeId, change === undefined ? null : describe(change));
  };
  const begin = useEffectEvent(async (): Promise<void> => {
    if (offered?.isListed === true) return ask(offered.changeId, null);
    const { data, error } = await client.query(LastChangesDocument, { first: changesMax, imports: false }, fresh);
    if (error !== undefined || data === undefined) {
      toastFailure(error === undefined ? t('history.changesUnreadable') : describeError(error, t('api.unreachable')));
      return close();
    }
    const changes = data.lastChanges;
    if (offered !== undefined) return beginOffered(offered, changes);
    if (isOvertaken()) return;
    const tried = changes.find(({ changeId }) => lost?.isSettled === false && changeId === lost.changeId);
    if (lost !== null && tried !== undefined) {
      lost = { ...lost, isSettled: true };
      if (tried.undoneBy !== null) {
        toast(lost.words);
        return close();
      }
    }
    const { change: last, isNext } = toUndo(changes, user);
    const change = way === 'undo' ? last : toRedo(changes, user);
    if (change === undefined) {
      toast(t('history.noneOfYours', { way }));
      return close();
    }
    const isSmall = change.programs + change.branches === 1 && Date.now() - Date.parse(change.at) < recentMs;
    const isKnown = isLastUndoKnown() || lost?.isSettled === true;
    const isFirst = way === 'redo' || !isNext;
    const what = describe(rootOf(changes, change));
    const isPlain = isSmall && isFirst && isKnown && unsent.length === 0;
    return (isPlain ? run : ask)(change.changeId, what);
  });
  // What was typed in a cell just before is the last change: it is waited for, or, after an outage, asked about.
  const isSaving = unsent.some(({ waits }) => waits !== true);
  const hasBegun = useRef(false);
  useEffect(() => {
    // One press of the keys is one undo.
    if (isSaving || hasBegun.current) return;
    hasBegun.current = true;
    void begin();
  }, [isSaving]);
  if (question === null) return null;
  const { changeId, what, preview } = question;
  return (
    <Overlay title={t('history.undoQuestionOf', { way })} close={close} role="alertdialog" className="wide">
      <p className="name-text">{what ?? offered?.text}</p>
      {preview !== null && <ChangePreview changes={preview.changes} total={preview.undone} />}
      {preview !== null && preview.left.length > 0 && <ProblemRecords problems={preview.left} />}
      <div className="actions">
        <Button look="primary" autoFocus data-autofocus onClick={() => void run(changeId, what)}>
          {t('history.undoIt', { way })}
        </Button>
        <Button onClick={close}>{t('common.cancel')}</Button>
      </div>
    </Overlay>
  );
}
