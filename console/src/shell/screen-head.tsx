import type { ReactNode } from 'react';
import { PageTitle } from '../components/page-title.tsx';
import { screens } from './screens.ts';

interface ScreenHeadProps {
  /** The path of the screen; one that needs the id of a record has no such head. */
  readonly at: string;
  /** What can be done there. */
  readonly actions?: ReactNode;
}

/** The title of a screen and its introduction; `vite.config.ts` writes the same into the outline of its page. */
export function ScreenHead({ at, actions }: ScreenHeadProps) {
  const screen = screens.find(({ to }) => to === at);
  if (screen === undefined) return null;
  return (
    <div className="page-head">
      <div>
        <PageTitle text={screen.name} />
        <p className="introduction">{screen.introduction}</p>
      </div>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}

const basePath = '/console';

/** The head of the screen that is about to be shown. */
export function EarlyScreenHead() {
  return <ScreenHead at={location.pathname.slice(basePath.length).replace(/\/$/, '') || '/'} />;
}
