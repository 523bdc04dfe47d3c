import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { Overlay } from '../components/overlay.tsx';
import { RecordLink } from '../records/record-link.tsx';
import { ChangeFields } from './change-fields.tsx';
import { ChooseProgram } from './choose-program.tsx';
import type { BulkTask } from './send.ts';
import { useBulk } from './use-bulk.ts';
import { type BulkAction, describePlan, describeStep } from './words.ts';

export interface BulkDialogProps {
  readonly kind: BulkTask['kind'];
  readonly action: BulkAction;
  readonly ids: readonly number[];
  readonly names: ReadonlyMap<number, string>;
  readonly changed: () => void;
  readonly close: () => void;
}

/** Changes many records: first says what would happen, then does it, with one message that can undo it. */
export function BulkDialog({ kind, action, ids, names, changed, close }: BulkDialogProps) {
  const bulk = useBulk({ action, ids, names, changed });
  const { plan, isSending, failure, reconsider } = bulk;
  const check = (task: BulkTask): void => void bulk.check(task);
  const begin = useRef(check);
  useEffect(() => {
    if (action === 'delete' || action === 'restore') begin.current({ kind, action });
  }, [kind, action]);
  const cancel = (
    <Button className="button" onPress={close}>
      Cancel
    </Button>
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
      {plan === null && isSending && <p role="status">Checking…</p>}
      {plan !== null && (
        <Checked
          words={describePlan(kind, action, plan)}
          problems={plan.problems.map(({ kind: of, id, name, message }) => (
            <li key={id} className="name-text">
              <RecordLink kind={of} id={id}>
                {name}
              </RecordLink>
              : {message}
            </li>
          ))}
        >
          {plan.changed > 0 && (
            <Button
              className={action === 'delete' ? 'button danger' : 'button primary'}
              isPending={isSending}
              autoFocus
              onPress={() => void bulk.run(plan).then((isDone) => isDone && close())}
            >
              {describeStep(kind, action, plan.changed)}
            </Button>
          )}
          {cancel}
        </Checked>
      )}
    </Overlay>
  );
}

interface CheckedProps {
  readonly words: string;
  readonly problems: readonly ReactNode[];
  /** What to do next. */
  readonly children: ReactNode;
}

function Checked({ words, problems, children }: CheckedProps) {
  return (
    <>
      <div role="status">
        <p>{words}</p>
        {problems.length > 0 && <ul className="problem-records">{problems}</ul>}
        <p className="hint">Nothing was changed yet. The whole change can be undone.</p>
      </div>
      <div className="actions">{children}</div>
    </>
  );
}
