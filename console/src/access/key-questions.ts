import { useMutation } from 'urql';
import { toastOutcome } from '../api/toast-outcome.ts';
import { t } from '../language/language.ts';
import { bdi, strong } from '../language/tags.ts';
import { ask } from '../overlays/overlay.tsx';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, RevokeKeyDocument, RotateKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';

/** Asks before a key is replaced or revoked. `issued` receives the secret of a new key. */
export function useKeyQuestions(issued: (key: string) => void) {
  const [, rotate] = useMutation(RotateKeyDocument);
  const [, revoke] = useMutation(RevokeKeyDocument);
  const { viewer, canAdminister } = useRights();
  const { ownKeys } = useSession();
  const hasOverlap = canAdminister || ownKeys;
  return {
    askToRotate: (apiKey: KeyFieldsFragment): void => {
      const run = async (): Promise<void> => {
        const { data, error } = await rotate({ id: apiKey.id, input: hasOverlap ? { overlap: '24h' } : null });
        if (data?.rotateApiKey != null) issued(data.rotateApiKey.key);
        toastOutcome(error);
      };
      const about = { title: titleOf(apiKey), user: apiKey.user.name, hasOverlap: hasOverlap ? 'yes' : 'no' } as const;
      const text = t('access.rotateAbout', about);
      ask({ title: t('access.rotateTitle'), text, action: t('access.rotateKey'), run: () => void run() });
    },
    askToRevoke: (apiKey: KeyFieldsFragment): void => {
      const title = titleOf(apiKey);
      const run = async (): Promise<void> => {
        const { data, error } = await revoke({ id: apiKey.id });
        const count = data?.revokeApiKey?.revokedWith.length ?? 0;
        toastOutcome(error, t.rich('access.keyRevoked', { title, count, bdi }));
      };
      const isOwn = viewer.key?.id === apiKey.id ? 'yes' : 'no';
      const text = t.rich('access.revokeAbout', { title, user: apiKey.user.name, isOwn, strong });
      ask({ title: t('access.revokeTitle'), text, action: t('access.revokeKey'), run: () => void run() });
    },
  };
}
