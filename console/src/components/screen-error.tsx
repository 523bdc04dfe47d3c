import type { ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { reloadPage } from '../browser/reload.ts';
import { t } from '../language/language.ts';
import { FailedState } from './notices.tsx';

const retryMs = 2_000;
/** The least time between reloads, if the files of a screen are missing for good. */
const reloadMinMs = 10_000;

type Component<Props> = (props: Props) => ReactNode;

/** Wraps the import of a screen for the router: if it fails, the screen is `NotLoaded`. */
export const loadable =
  <Props extends object>(load: () => Promise<Component<Props>>) =>
  async (): Promise<{ default: Component<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: NotLoaded };
    }
  };

/**
 * Stands for a screen whose files could not be loaded: the service is away, or has a newer version with other files.
 * Browsers keep a failed import until the page is loaded again, so that is done once the service responds.
 */
function NotLoaded() {
  const [isUnreachable, setIsUnreachable] = useState(false);
  const retry = async (): Promise<void> => {
    const isReachable = await fetch(location.href, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReachable) reloadPage();
    else setIsUnreachable(true);
  };
  const retryByItself = useEffectEvent(() => void (performance.now() > reloadMinMs && retry()));
  useEffect(() => {
    const timer = setInterval(() => retryByItself(), retryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <FailedState retry={() => void retry()} isPage>
      {t('components.screenNotLoaded', { isUnreachable: isUnreachable ? 'yes' : 'no' })}
    </FailedState>
  );
}

/** A fault of the page itself. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => (
  <FailedState retry={reset} isPage>
    {t('components.screenNotShown', { error: error instanceof Error ? error.message : String(error) })}
  </FailedState>
);
