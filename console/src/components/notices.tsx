import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { reloadPage } from '../browser/reload.ts';
import { t } from '../language/language.ts';
import { Button } from './button.tsx';
import { PageTitle } from './page-title.tsx';

/** A link, or a button. */
type Way = { readonly text: string } & (LinkProps | { readonly run: () => void });

interface EmptyStateProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** What to do: the first is the primary one. */
  readonly ways?: readonly (Way | false)[];
  readonly isPage?: boolean;
  /** Whether screen readers announce it, such as a change by somebody else. */
  readonly isAlert?: boolean;
}

/** Says why there is nothing, and what to do. */
export function EmptyState({ title, about, ways = [], isPage = false, isAlert = false }: EmptyStateProps) {
  const offered = ways.filter((way) => way !== false);
  return (
    <div className="empty" {...(isAlert && { role: 'alert' })}>
      <Drawing />
      {isPage ? <PageTitle text={title} /> : <h2>{title}</h2>}
      {about !== undefined && <p>{about}</p>}
      {offered.length > 0 && (
        <div className="actions">
          {offered.map(({ text, ...way }, index) =>
            'run' in way ? (
              <Button key={text} look={index === 0 ? 'primary' : 'quiet'} onClick={way.run}>
                {text}
              </Button>
            ) : (
              <Link key={text} {...way} className={index === 0 ? 'button primary' : 'button quiet'}>
                {text}
              </Link>
            ),
          )}
        </div>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly look?: 'bad' | 'warn';
  readonly role?: 'alert' | 'status';
  /** What can be done about it. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Says what is wrong, or worth to know, where it concerns. */
export const Notice = ({ look = 'warn', role = 'alert', action, children }: NoticeProps) => (
  <div role={role} className={`notice ${look}`}>
    <p>{children}</p>
    {action}
  </div>
);

interface FailedStateProps {
  readonly retry: () => void;
  readonly isPage: boolean;
  readonly children: ReactNode;
}

/** Stands for what could not be loaded. */
export const FailedState = ({ retry, isPage, children }: FailedStateProps) => (
  <EmptyState
    title={t('components.notShown')}
    about={children}
    ways={[
      { text: t('common.tryAgain'), run: retry },
      { text: t('components.loadAgain'), run: reloadPage },
    ]}
    isPage={isPage}
    isAlert
  />
);

/** Rows that are on their way, or cards. */
export const Sketch = ({ of = 'rows' }: { readonly of?: 'rows' | 'cards' }) => (
  <div className={of === 'rows' ? 'sketch' : 'sketch cards'} aria-hidden="true" />
);

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
