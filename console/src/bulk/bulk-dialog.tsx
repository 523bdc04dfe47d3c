import { useEffect, useRef } from 'react';
import { BusyButton } from '../components/busy-button.tsx';
import { Overlay } from '../components/overlay.tsx';
import { t } from '../language/language.ts';
import { ChangeFields } from './change-fields.tsx';
import { ChooseProgram } from './choose-program.tsx';
import { describePlan, describeStep } from './nouns.ts';
import { ProblemRecords } from './problem-records.tsx';
import type { BulkTask } from './send.ts';
import { type BulkOptions, useBulk } from './use-bulk.ts';

interface BulkDialogProps extends BulkOptions {
  readonly kind: BulkTask['kind'];
  readonly close: () => void;
}

/** Changes many records: first says what would happen, then does it, with one message that can undo it. */
export function BulkDialog({ kind, action, ids, changed, close }: BulkDialogProps) {
  const bulk = useBulk({ action, ids, changed });
  const { plan, isSending, failure, reconsider } = bulk;
  const check = (task: BulkTask): void => void bulk.check(task);
  const begin = useRef(check);
  useEffect(() => {
    if (action === 'delete' || action === 'restore') begin.current({ kind, action });
  }, [kind, action]);
  const cancel = (
    <button type="button" className="button" onClick={close}>
      {t('common.cancel')}
    </button>
  );
  return (
    <Overlay title={describeStep(kind, action, ids.length)} close={close}>
      {failure !== null && (
        <p role="alert" className="notice bad">
          <span>{failure.message}</span>
        </p>
      )}
      {action === 'change' && (
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
      {plan === null && isSending && <p role="status">{t('common.checking')}</p>}
      {plan !== null && (
        <>
          <div role="status">
            <p>{describePlan(kind, action, plan)}</p>
            {plan.before !== undefined && <p className="name-text">{t('bulk.now', { values: plan.before })}</p>}
            {plan.failing > 0 && <ProblemRecords problems={plan.problems} />}
            <p className="hint">{t('common.nothingYetChanged')}</p>
          </div>
          <div className="actions">
            {plan.changed > 0 && (
              <BusyButton
                className={action === 'delete' ? 'button danger' : 'button primary'}
                isBusy={isSending}
                autoFocus
                onClick={() => void bulk.run(plan).then((isDone) => isDone && close())}
              >
                {describeStep(kind, action, plan.changed)}
              </BusyButton>
            )}
            {cancel}
          </div>
        </>
      )}
    </Overlay>
  );
}
