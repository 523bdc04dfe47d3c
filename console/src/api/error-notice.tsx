import type { CombinedError } from '@urql/core';
import { Button } from '../components/button.tsx';
import { FailedState, Notice } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { useStreamState } from './api.tsx';
import { describeError, isTemporary } from './errors.ts';

interface ErrorNoticeProps {
  readonly error: CombinedError;
  readonly retry: () => void;
  /** Whether what could not be loaded again is still on the screen. */
  readonly isShown?: boolean;
  /** Whether the page is about what could not be loaded. */
  readonly isPage?: boolean;
}

/** Shows why something could not be loaded: above what is still shown, else in its place. */
export function ErrorNotice({ error, retry, isShown = false, isPage = false }: ErrorNoticeProps) {
  const isLost = useStreamState() === 'lost';
  // A query that fails for a while is sent again by the client.
  const waits = isTemporary(error);
  const text = `${describeError(error, t('api.unreachable'))} ${waits ? t('api.retriesItself') : ''}`;
  if (!isShown) {
    return (
      <FailedState retry={retry} isPage={isPage}>
        {waits && isLost ? t('api.notYetShown') : text}
      </FailedState>
    );
  }
  // The shell reports a lost connection once for all lists of the screen.
  if (waits && isLost) return null;
  return (
    <Notice look="bad" action={<Button onClick={retry}>{t('common.tryAgain')}</Button>}>
      {text}
    </Notice>
  );
}
