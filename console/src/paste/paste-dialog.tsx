import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { abandonCheck, type Report, wasImported } from '../api/import-report.ts';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { changeMadeBy } from '../bulk/change-made-by.ts';
import { describeDone, describePlan, describeStep } from '../bulk/nouns.ts';
import { ProblemRecords } from '../bulk/problem-records.tsx';
import type { ReadRecord } from '../bulk/read-records.ts';
import { SameCodes } from '../bulk/same-codes.tsx';
import { useOfferUndo } from '../bulk/use-undo.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { useIsUnread } from '../components/use-is-readable.ts';
import { formatList, nameSome } from '../format/text.ts';
import { ownChange } from '../forms/own-saves.ts';
import { randomId } from '../forms/use-draft.ts';
import { ChangePreview } from '../history/record-changes.tsx';
import { t, textNamed } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { sayWhy } from '../session/session.ts';
import { Leftovers } from './leftovers.tsx';
import type { Match } from './match.ts';
import { MatchQuestion } from './match-question.tsx';
import { type CurrentPaste, firstLine, isSeen, type Paste, sendPaste, withRecords } from './paste.ts';

interface PasteDialogProps {
  readonly kind: RecordKind;
  readonly paste: Paste;
  readonly changed?: () => void;
  readonly close: () => void;
  /** How else its rows may be meant: by what names their records. */
  readonly match?: Match | undefined;
  /** Its records, if they have just been read. */
  readonly records?: readonly ReadRecord[];
}

/** Asks first where the rows go, if they name other records than those of their places. */
export function PasteDialog({ match, ...props }: PasteDialogProps) {
  const [chosen, choose] = useState<Paste | null>(null);
  if (match !== undefined && chosen === null) return <MatchQuestion {...props} match={match} choose={choose} />;
  return <PasteCheck {...props} paste={chosen ?? props.paste} />;
}

/** Shows what pasted cells would change, old values beside new ones; then changes them, with one message that undoes it. */
function PasteCheck({ kind, paste, records, changed, close }: PasteDialogProps) {
  const [outcome, setOutcome] = useState<Report | string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [isOvertaken, setIsOvertaken] = useState(false);
  /** What was sent: perhaps it was made, or will be, and only the answer was lost. */
  const [sent, setSent] = useState<Report | null>(null);
  const [current, setCurrent] = useState<CurrentPaste | null>(null);
  const [requestId] = useState(randomId);
  const client = useClient();
  const offerUndo = useOfferUndo();
  // What others have saved until the check appears here first.
  const isUnread = useIsUnread(outcome, isChecked(outcome) && (isOvertaken || !isSeen(outcome, paste)));
  useAskBeforeLeaving(() => outcome === null || !isImported(outcome));
  const read = async (just?: readonly ReadRecord[]): Promise<CurrentPaste | null> => {
    const now = await withRecords(client, kind, paste, just);
    if (now !== null) setCurrent(now);
    return now;
  };
  const check = async (just?: readonly ReadRecord[]) => sendPaste(await read(just));
  const checkFirst = useEffectEvent(() => check(records));
  useEffect(() => {
    let isShown = true;
    void checkFirst().then((checked) => isShown && setOutcome(checked));
    return () => {
      isShown = false;
      abandonCheck();
    };
  }, []);
  const checkAgain = async (): Promise<void> => {
    setOutcome(null);
    const now = await check();
    const changeId = sent === null || typeof now === 'string' ? null : await changeMadeBy(client, requestId);
    if (sent !== null && typeof changeId === 'string') finish({ ...sent, changeId });
    else setOutcome(changeId === null ? now : sayWhy(t('api.unreachable')));
  };
  /** Changes no more than was shown: what others have saved since is shown first, and stays where nothing is pasted. */
  const changeShown = async (shown: Report, fingerprint = shown.fingerprint): Promise<Report | string> => {
    const done = await sendPaste(await read(), fingerprint, requestId);
    if (isImported(done)) return done;
    // A browser that loses the answer sends the request again by itself: this may be the answer to the second one.
    const changeId = await changeMadeBy(client, requestId);
    if (typeof changeId === 'string') return { ...shown, outcome: 'imported', changeId };
    if (typeof done === 'string') return done;
    if (changeId === undefined) return sayWhy(t('api.uncertain', { where: 'changes' }));
    // Somebody has saved since that check: what they saved may be of no concern.
    const now = await check();
    if (typeof now === 'string') return now;
    if (changesIn(now) === changesIn(shown)) return changeShown(shown, now.fingerprint);
    setIsOvertaken(true);
    return now;
  };
  const run = async (shown: Report): Promise<void> => {
    setIsSending(true);
    setIsOvertaken(false);
    const done = await ownChange(shown.records, changeShown(shown), wasImported);
    setIsSending(false);
    setSent(shown);
    if (isImported(done)) finish({ ...done, records: shown.records });
    else setOutcome(done);
  };
  const finish = (done: Report): void => {
    changed?.();
    offerUndo(describeDone(kind, 'change', changedIn(done, kind)), done.changeId);
    if (paste.rest === undefined) close();
    else setOutcome({ ...done, outcome: 'imported' });
  };
  const count = isChecked(outcome) ? changedIn(outcome, kind) : 0;
  const { rows } = current ?? paste;
  const deleted = paste.rows.filter(({ row }) => rows.every((one) => one.row.id !== row.id));
  return (
    <Overlay title={describeStep(kind, 'change', rows.length)} close={close} className="wide">
      <Leftovers kind={kind} {...paste} isFirst={typeof outcome === 'object' && outcome !== null && count === 0} />
      {deleted.length > 0 && (
        <Notice>{t('cells.rowsDeleted', { names: formatList(deleted.map(({ row }) => row.name)) })}</Notice>
      )}
      {isOvertaken && <Notice>{t('cells.changedMeanwhile')}</Notice>}
      {outcome === null && <p role="status">{t('common.checking')}</p>}
      {typeof outcome === 'string' && <Notice look="bad">{outcome}</Notice>}
      {outcome !== null && typeof outcome !== 'string' && current !== null && (
        <Preview kind={kind} outcome={outcome} paste={current} />
      )}
      <div className="actions">
        {isChecked(outcome) && count > 0 && (
          <Button look="primary" isBusy={isSending || isUnread} autoFocus onClick={() => void run(outcome)}>
            {isSending ? t('forms.saving') : describeStep(kind, 'change', count)}
          </Button>
        )}
        {typeof outcome === 'string' && (
          <Button look="primary" autoFocus onClick={() => void checkAgain()}>
            {t('common.tryAgain')}
          </Button>
        )}
        <Button onClick={close}>{t(count > 0 ? 'common.cancel' : 'common.close')}</Button>
      </div>
    </Overlay>
  );
}

const isImported = (outcome: Report | string): outcome is Report =>
  typeof outcome === 'object' && outcome.outcome === 'imported';

const isChecked = (outcome: Report | string | null): outcome is Report =>
  typeof outcome === 'object' && outcome?.outcome === 'checked';

const changesIn = (outcome: Report | string | null): string =>
  JSON.stringify(
    typeof outcome === 'object' && outcome !== null && [outcome.changes, outcome.changeCount, outcome.problems],
  );

const changedIn = ({ programs, branches }: Report, kind: RecordKind): number =>
  (kind === 'PROGRAM' ? programs : branches).changed;

interface PreviewProps {
  readonly kind: RecordKind;
  readonly outcome: Report;
  readonly paste: CurrentPaste;
}

function Preview({ kind, outcome, paste }: PreviewProps) {
  const { problems, records } = outcome;
  const changed = changedIn(outcome, kind);
  const titleOf = (column: string): string =>
    paste.columns.find(({ fileColumn }) => fileColumn === column)?.name ?? textNamed(`fileColumn.${column}`) ?? column;
  const changing = new Set(records.map(({ recordId }) => recordId));
  // Of very many, the report has not all that change.
  const left = changing.size < changed ? [] : paste.rows.filter(({ row }) => !changing.has(row.id));
  const namesOf = (rows: CurrentPaste['rows']): string => nameSome(rows.map(({ row }) => row.name));
  const [gone, same] = [left.filter(({ isGone }) => isGone), left.filter(({ isGone }) => !isGone)];
  const text = paste.replace?.found ?? '';
  const unchanged = (
    <>
      {gone.length > 0 && <p>{t('cells.goneRows', { text, names: namesOf(gone) })}</p>}
      {same.length > 0 && <p>{t('cells.sameRows', { names: namesOf(same) })}</p>}
    </>
  );
  if (outcome.outcome === 'imported')
    return (
      <>
        <p role="status">{describeDone(kind, 'change', changed)}</p>
        {unchanged}
      </>
    );
  if (problems.length > 0) {
    return (
      <div role="alert">
        <p>{t('cells.nothingChanged', { count: problems.length })}</p>
        <ProblemRecords
          problems={problems.flatMap(({ line, column, ...problem }) => {
            const row = paste.rows[line - firstLine]?.row;
            return row === undefined
              ? []
              : { ...problem, ...row, kind, field: column === null ? undefined : titleOf(column) };
          })}
        />
      </div>
    );
  }
  return (
    <>
      <p role="status">
        {describePlan(kind, 'change', { changed, unchanged: paste.rows.length - changed, failing: 0 })}
      </p>
      {unchanged}
      <SameCodes kind={kind} changes={records} />
      <ChangePreview changes={records} total={changed} />
      <p className="hint">{t('common.nothingYetChanged')}</p>
    </>
  );
}
