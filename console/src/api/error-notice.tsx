import type { CombinedError } from '@urql/core';
import { t } from '../language/language.ts';
import { useStreamState } from './api.tsx';
import { describeError, isTemporary } from './errors.ts';

interface ErrorNoticeProps {
  readonly error: CombinedError;
  readonly retry?: () => void;
  /** Whether what could not be loaded again is still on the screen. */
  readonly isShown?: boolean;
}

/** Shows an error. The shell reports a lost connection once for all lists of the screen. */
export function ErrorNotice({ error, retry, isShown = false }: ErrorNoticeProps) {
  const state = useStreamState();
  // A query that fails for a while is sent again by the client.
  const waits = isTemporary(error) && retry !== undefined;
  if (waits && state === 'lost') {
    return isShown ? null : <p className="empty">{t('api.notYetShown')}</p>;
  }
  return (
    <div role="alert" className="notice bad">
      <p>
        {describeError(error)} {waits && t('api.retriesItself')}
      </p>
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          {t('common.tryAgain')}
        </button>
      )}
    </div>
  );
}
