import type { ReactNode } from 'react';
import { PageTitle } from '../components/page-title.tsx';
import { type ScreenPath, screens } from './screens.ts';

interface ScreenHeadProps {
  readonly at: ScreenPath;
  readonly actions?: ReactNode;
}

/** The title and introduction of a screen. */
export function ScreenHead({ at, actions }: ScreenHeadProps) {
  const screen = screens.find(({ to }) => to === at);
  if (screen === undefined) return null;
  return (
    <div className="page-head">
      <div>
        <PageTitle text={screen.name} />
        {screen.introduction !== undefined && <p className="introduction">{screen.introduction}</p>}
      </div>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}
