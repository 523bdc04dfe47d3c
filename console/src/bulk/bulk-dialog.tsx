import { useEffect, useRef } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { useIsUnread } from '../components/use-is-readable.ts';
import { changedField } from '../history/changed-fields.ts';
import { ChangePreview } from '../history/record-changes.tsx';
import { useNames } from '../history/use-names.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { ChangeFields } from './change-fields.tsx';
import { ChooseProgram } from './choose-program.tsx';
import { describePlan, describeStep, describeValues } from './nouns.ts';
import { ProblemRecords } from './problem-records.tsx';
import { SameCodes } from './same-codes.tsx';
import type { BulkTask } from './send.ts';
import { type BulkOptions, useBulk } from './use-bulk.ts';

interface BulkDialogProps extends BulkOptions {
  readonly kind: RecordKind;
  /** A change that is known from the beginning. */
  readonly task?: BulkTask;
  readonly close: () => void;
}

/** Changes many records: first says what would happen, then does it, with one message that can undo it. */
export function BulkDialog({ kind, action, task, ids, changed, close }: BulkDialogProps) {
  const bulk = useBulk({ action, ids, changed });
  const { plan, sending, isOvertaken, failure, reconsider } = bulk;
  const isSending = sending !== null;
  // The values that the records have appear here first.
  const isUnread = useIsUnread(plan, isOvertaken || action === 'change' || action === 'move');
  const names = useNames();
  /** The values that the records have now, as people read them. */
  const values =
    action === 'change' &&
    plan?.changes.flatMap(({ fields }) => fields.map((field) => changedField(field, names).from ?? ''));
  const check = (given: BulkTask): void => void bulk.check(given);
  const begin = useRef(check);
  useEffect(() => {
    if (task !== undefined) begin.current(task);
    else if (action === 'delete' || action === 'restore') begin.current({ kind, action });
  }, [kind, action, task]);
  // Beside the button that was pressed: a plan may be longer than the window.
  const problem = failure !== null && <Notice look="bad">{failure.message}</Notice>;
  const cancel = <Button onClick={close}>{t('common.cancel')}</Button>;
  return (
    <Overlay title={describeStep(kind, action, ids.length)} close={close} className={plan === null ? '' : 'wide'}>
      {plan === null && problem}
      {action === 'change' && task === undefined && (
        <ChangeFields
          kind={kind}
          problems={failure?.problems ?? {}}
          isChecked={plan !== null}
          isSending={isSending}
          reconsider={reconsider}
          check={check}
        >
          {cancel}
        </ChangeFields>
      )}
      {action === 'move' && plan === null && (
        <>
          <ChooseProgram choose={(programId) => check({ kind: 'BRANCH', action: 'update', input: { programId } })} />
          {cancel}
        </>
      )}
      {plan === null && isSending && <p role="status">{t(sending === 'check' ? 'common.checking' : 'forms.saving')}</p>}
      {plan !== null && (
        <>
          {isOvertaken && <Notice>{t('cells.changedMeanwhile')}</Notice>}
          <div role="status">
            <p>{describePlan(kind, action, plan, plan.changes)}</p>
            {values && values.length > 0 && (
              <p className="name-text">{t('bulk.now', { values: describeValues(values) })}</p>
            )}
            {plan.failing > 0 && <ProblemRecords problems={plan.problems} />}
            {failure === null && <p className="hint">{t('common.nothingYetChanged')}</p>}
          </div>
          {action === 'change' && <SameCodes kind={kind} changes={plan.changes} />}
          <ChangePreview changes={plan.changes} total={plan.changed} />
          {problem}
          <div className="actions">
            {plan.changed > 0 && (
              <Button
                look={action === 'delete' ? 'danger' : 'primary'}
                isBusy={isSending || isUnread}
                autoFocus
                onClick={() => void bulk.run(plan).then((isOver) => isOver && close())}
              >
                {isSending ? t('forms.saving') : describeStep(kind, action, plan.changed)}
              </Button>
            )}
            {cancel}
          </div>
        </>
      )}
    </Overlay>
  );
}
