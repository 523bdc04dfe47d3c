import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import { PageTitle } from './page-title.tsx';

interface EmptyStateProps {
  readonly title: string;
  readonly isPage?: boolean;
  /** Whether screen readers announce it, such as a change by somebody else. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

/** Says why there is nothing, and what to do: one filled button, and one quiet. */
export function EmptyState({ title, isPage = false, isAlert = false, children }: EmptyStateProps) {
  return (
    <div className="empty" {...(isAlert && { role: 'alert' })}>
      <Drawing />
      {isPage ? <PageTitle text={title} /> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

interface FailedStateProps {
  readonly retry: () => void;
  readonly isPage: boolean;
  readonly children: ReactNode;
}

/** Stands for what could not be loaded. */
export const FailedState = ({ retry, isPage, children }: FailedStateProps) => (
  <EmptyState title={t('components.notShown')} isPage={isPage} isAlert>
    <p>{children}</p>
    <div className="actions">
      <button type="button" className="button primary" onClick={retry}>
        {t('common.tryAgain')}
      </button>
      <button type="button" className="button quiet" onClick={() => location.reload()}>
        {t('components.loadAgain')}
      </button>
    </div>
  </EmptyState>
);

/** Rows that are on their way. */
export const Sketch = () => <div className="sketch" aria-hidden="true" />;

/** A program, its branches and their years, where there is nothing else to show. */
export const Drawing = () => (
  <svg className="drawing" viewBox="0 0 160 76" width="160" height="76" aria-hidden="true">
    <path d="M44 38 H60 M60 14 V62 M60 14 H72 M60 38 H72 M60 62 H72" />
    <rect className="program" x="4" y="26" width="40" height="24" rx="6" />
    {[14, 38, 62].map((middle, index) => (
      <g key={middle}>
        <rect x="72" y={middle - 9} width="34" height="18" rx="5" />
        {Array.from({ length: 4 - index }, (_, year) => 114 + 12 * year).map((left) => (
          <circle key={left} cx={left + 4} cy={middle} r="4" />
        ))}
      </g>
    ))}
  </svg>
);
