import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { toastOutcome } from '../api/toast-outcome.ts';
import { Confirm } from '../components/confirm.tsx';
import { toastFailure, toastText } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, RevokeKeyDocument, RotateKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';

/** What a dialog is opened for. */
export interface KeyTask {
  readonly kind: 'edit' | 'rotate' | 'revoke';
  readonly apiKey: KeyFieldsFragment;
}

interface KeyDialogProps {
  readonly task: KeyTask;
  readonly close: () => void;
  /** Receives the secret of a new key. */
  readonly issued: (key: string) => void;
}

export function KeyDialog({ task: { kind, apiKey }, close, issued }: KeyDialogProps) {
  const [, rotate] = useMutation(RotateKeyDocument);
  const [, revoke] = useMutation(RevokeKeyDocument);
  const { viewer, canAdminister } = useRights();
  const { ownKeys } = useSession();
  const isOwn = viewer.key?.id === apiKey.id;
  const hasOverlap = canAdminister || ownKeys;
  const title = titleOf(apiKey);
  if (kind === 'edit') return <KeyForm apiKey={apiKey} close={close} issued={issued} />;
  if (kind === 'rotate') {
    const run = async (): Promise<void> => {
      const { data, error } = await rotate({ id: apiKey.id, input: hasOverlap ? { overlap: '24h' } : null });
      if (data?.rotateApiKey != null) issued(data.rotateApiKey.key);
      else if (error !== undefined) toastFailure(describeError(error));
    };
    return (
      <Confirm title="Rotate a key" action="Rotate key" run={() => void run()} close={close}>
        A new key replaces {title} of {apiKey.user.name}, with the same name, restrictions and end.{' '}
        {hasOverlap && 'The old one stays valid for a day. Revoked before, it takes the new one with it if it made it.'}
        {!hasOverlap && 'The old one stops working at once.'}
      </Confirm>
    );
  }
  const run = async (): Promise<void> => {
    const { data, error } = await revoke({ id: apiKey.id });
    const others = data?.revokeApiKey?.revokedWith.length ?? 0;
    const too = others === 0 ? '' : `, and ${pluralize(others, 'key or session', 'keys and sessions')} made with it`;
    toastOutcome(error, toastText`The key ${title} is revoked${too}.`);
  };
  return (
    <Confirm title="Revoke a key" action="Revoke key" run={() => void run()} close={close}>
      <strong>{title}</strong> of {apiKey.user.name} stops working at once, with all keys and sessions that were made
      with it. This cannot be undone.
      {isOwn && ' This browser uses it: you then sign in again to go on.'}
    </Confirm>
  );
}
