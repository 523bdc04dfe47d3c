import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';

interface PlottedBar {
  readonly label: string;
  readonly count: number;
  /** Without content; none for those who may not see what it counts. */
  readonly link: ReactElement<{ readonly children?: ReactNode; readonly title?: string }> | false;
}

interface BarPlotProps {
  readonly title: string;
  readonly bars: readonly PlottedBar[];
  /** A bar a day, side by side: those without a change lead nowhere. */
  readonly isUpright?: boolean;
  /** What stands between title and bars. */
  readonly children?: ReactNode;
}

/** A bar chart: a list of links, each with its label, its bar and its number. */
export function BarPlot({ title, bars, isUpright = false, children }: BarPlotProps) {
  const id = useId();
  const counts = bars.map(({ count }) => count);
  const max = Math.max(1, ...counts);
  return (
    <section className={isUpright ? 'card plot upright' : 'card plot'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {isUpright && <p className="hint">{t('overview.atMost', { count: Math.max(0, ...counts) })}</p>}
      <ol className="bars">
        {bars.map(({ label, count, link }) => {
          const content = (
            <>
              <span className={isUpright ? 'visually-hidden' : 'label'}>{label}</span>{' '}
              <span className="track">
                <span className="drawn" style={{ [isUpright ? 'height' : 'width']: `${(100 * count) / max}%` }} />
              </span>{' '}
              <span className={isUpright ? 'visually-hidden' : 'count'}>{formatCount(count)}</span>
            </>
          );
          return (
            <li key={label}>
              {link === false || count === 0
                ? content
                : cloneElement(link, { title: label + t('common.colon') + formatCount(count), children: content })}
            </li>
          );
        })}
      </ol>
      {isUpright && (
        <p className="hint ends" aria-hidden="true">
          <span>{bars[0]?.label}</span>
          <span>{bars.at(-1)?.label}</span>
        </p>
      )}
    </section>
  );
}
