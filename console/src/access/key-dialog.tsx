import { useMutation } from 'urql';
import { toastOutcome } from '../api/toast-outcome.ts';
import { t } from '../language/language.ts';
import { bdi, strong } from '../language/tags.ts';
import { Confirm } from '../overlays/confirm.tsx';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, RevokeKeyDocument, RotateKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';

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
      toastOutcome(error);
    };
    return (
      <Confirm title={t('access.rotateTitle')} action={t('access.rotateKey')} run={() => void run()} close={close}>
        {t('access.rotateAbout', { title, user: apiKey.user.name, hasOverlap: hasOverlap ? 'yes' : 'no' })}
      </Confirm>
    );
  }
  const run = async (): Promise<void> => {
    const { data, error } = await revoke({ id: apiKey.id });
    const count = data?.revokeApiKey?.revokedWith.length ?? 0;
    toastOutcome(error, t.rich('access.keyRevoked', { title, count, bdi }));
  };
  return (
    <Confirm title={t('access.revokeTitle')} action={t('access.revokeKey')} run={() => void run()} close={close}>
      {t.rich('access.revokeAbout', { title, user: apiKey.user.name, isOwn: isOwn ? 'yes' : 'no', strong })}
    </Confirm>
  );
}
