import { Button } from 'react-aria-components/Button';
import { useMutation } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, RevokeKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';
import { RotateKey } from './rotate-key.tsx';

/** What a dialog is opened for. */
export interface KeyTask {
  readonly kind: 'edit' | 'rotate' | 'revoke';
  readonly apiKey: KeyFieldsFragment;
}

interface KeyActionsProps {
  readonly apiKey: KeyFieldsFragment;
  readonly begin: (task: KeyTask) => void;
}

export function KeyActions({ apiKey, begin }: KeyActionsProps) {
  const { state, kind } = apiKey;
  const isActive = state === 'ACTIVE';
  const tasks = {
    edit: 'Edit',
    ...(isActive && kind === 'KEY' && { rotate: 'Rotate' }),
    ...(isActive && { revoke: 'Revoke' }),
  };
  return (['edit', 'rotate', 'revoke'] as const).map(
    (task) =>
      tasks[task] !== undefined && (
        <Button
          key={task}
          className="button quiet"
          aria-label={`${tasks[task]} ${titleOf(apiKey)}`}
          onPress={() => begin({ kind: task, apiKey })}
        >
          {tasks[task]}
        </Button>
      ),
  );
}

interface KeyDialogProps {
  readonly task: KeyTask;
  readonly close: () => void;
  /** Receives the secret of a new key. */
  readonly issued: (key: string) => void;
}

export function KeyDialog({ task: { kind, apiKey }, close, issued }: KeyDialogProps) {
  if (kind === 'edit') return <KeyForm apiKey={apiKey} close={close} issued={issued} />;
  if (kind === 'rotate') return <RotateKey apiKey={apiKey} close={close} issued={issued} />;
  return <RevokeKey apiKey={apiKey} close={close} />;
}

function RevokeKey({ apiKey, close }: Omit<KeyDialogProps, 'task' | 'issued'> & Pick<KeyTask, 'apiKey'>) {
  const [, revoke] = useMutation(RevokeKeyDocument);
  const title = titleOf(apiKey);
  const isOwn = useRights().viewer.key?.id === apiKey.id;
  const run = async (): Promise<void> => {
    const { error } = await revoke({ id: apiKey.id });
    toastOutcome(error, toastText`The key ${title} is revoked.`);
  };
  return (
    <Confirm title="Revoke a key" action="Revoke key" run={() => void run()} close={close}>
      Requests with {title} of {apiKey.user.name} are rejected from now on. This cannot be undone.
      {isOwn && ' This browser uses it: you then sign in again to go on.'}
    </Confirm>
  );
}
