import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { cloneElement, type ReactElement, useId, useState } from 'react';
import { formatCount } from '../format/text.ts';
import { scaleMax } from './scale-max.ts';
import { useWidth } from './use-width.ts';

interface PlottedBar {
  readonly label: string;
  readonly count: number;
  /** Without text. */
  readonly link: ReactElement<{ readonly children?: React.ReactNode; readonly tabIndex?: number }>;
}

interface BarPlotProps {
  readonly title: string;
  /** For the head of the table. */
  readonly unit: string;
  readonly bars: readonly PlottedBar[];
  /** The text of the links, if they show more than the bar counts. */
  readonly hint?: string;
  /** `right` for long labels, `up` for many bars. */
  readonly direction?: 'right' | 'up';
}

/** A bar chart, and the same as a table for screen readers and the keyboard. */
export function BarPlot({ title, unit, bars, hint, direction = 'right' }: BarPlotProps) {
  const id = useId();
  const [frame, width] = useWidth();
  const [isTable, setIsTable] = useState(false);
  const Bars = direction === 'right' ? BarsRight : BarsUp;
  return (
    <section className={direction === 'right' ? 'card plot' : 'card plot large'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div
        ref={frame}
        aria-hidden="true"
        className="frame"
        style={{ minHeight: direction === 'right' ? bars.length * rowHeight : uprightHeight }}
      >
        {width > 0 && <Bars bars={bars} width={width} />}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <details onToggle={({ currentTarget }) => setIsTable(currentTarget.open)}>
        <summary>As a table</summary>
        {isTable && <BarTable title={title} unit={unit} bars={bars} />}
      </details>
    </section>
  );
}

function BarTable({ title, unit, bars }: Pick<BarPlotProps, 'title' | 'unit' | 'bars'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Number of {unit}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, count, link }) => (
          <tr key={label}>
            <th scope="row">{cloneElement(link, { children: label })}</th>
            <td>{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface BarsProps {
  readonly bars: readonly PlottedBar[];
  readonly width: number;
}

const rowHeight = 30;

function BarsRight({ bars, width }: BarsProps) {
  const labelWidth = Math.min(160, width * 0.38);
  const numberWidth = 64;
  const height = bars.length * rowHeight;
  const y = scaleBand({ domain: bars.map(({ label }) => label), range: [0, height], padding: 0.28 });
  const max = scaleMax(bars.map(({ count }) => count));
  const x = scaleLinear({
    domain: [0, max],
    clamp: true,
    range: [0, Math.max(1, width - labelWidth - numberWidth)],
  });
  return (
    <svg aria-hidden="true" width={width} height={height}>
      {bars.map(({ label, count, link }) => {
        const top = y(label) ?? 0;
        const middle = top + y.bandwidth() / 2;
        return cloneElement(link, {
          key: label,
          tabIndex: -1,
          children: (
            <>
              <title>{`${label}: ${formatCount(count)}`}</title>
              <rect className="hit" x={0} y={top} width={width} height={y.bandwidth()} />
              <text className="label" x={0} y={middle} dominantBaseline="central">
                {shortened(label, labelWidth)}
              </text>
              <Bar
                className="plot-bar"
                x={labelWidth}
                y={top}
                width={Math.max(2, x(count))}
                height={y.bandwidth()}
                rx={3}
              />
              {count > max && (
                <line
                  className="break"
                  x1={labelWidth + x(max) - 14}
                  x2={labelWidth + x(max) - 8}
                  y1={top + y.bandwidth()}
                  y2={top}
                />
              )}
              <text className="count" x={labelWidth + Math.max(2, x(count)) + 8} y={middle} dominantBaseline="central">
                {formatCount(count)}
              </text>
            </>
          ),
        });
      })}
    </svg>
  );
}

const uprightHeight = 190;
const axisHeight = 24;

function BarsUp({ bars, width }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const max = scaleMax(bars.map(({ count }) => count));
  const x = scaleBand({ domain: bars.map(({ label }) => label), range: [0, width], padding: 0.2 });
  const y = scaleLinear({ domain: [0, max], range: [uprightHeight - axisHeight, 18], clamp: true });
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <svg aria-hidden="true" width={width} height={uprightHeight}>
      <text className="count" x={0} y={10}>
        {`at most ${formatCount(most)} a day`}
      </text>
      {bars.map(({ label, count, link }) =>
        cloneElement(link, {
          key: label,
          tabIndex: -1,
          children: (
            <>
              <title>{`${label}: ${formatCount(count)}`}</title>
              <rect className="hit" x={x(label)} y={0} width={x.bandwidth()} height={uprightHeight - axisHeight} />
              <Bar
                className="plot-bar"
                x={x(label) ?? 0}
                y={count === 0 ? y(0) - 1 : Math.min(y(count), y(0) - 2)}
                width={x.bandwidth()}
                height={count === 0 ? 1 : Math.max(2, y(0) - y(count))}
                rx={2}
              />
              {count > max && (
                <line className="break" x1={x(label)} x2={(x(label) ?? 0) + x.bandwidth()} y1={34} y2={28} />
              )}
            </>
          ),
        }),
      )}
      <text className="label" x={0} y={uprightHeight - 6}>
        {first?.label}
      </text>
      <text className="label" x={width} y={uprightHeight - 6} textAnchor="end">
        {last?.label}
      </text>
    </svg>
  );
}

function shortened(label: string, width: number): string {
  const max = Math.floor(width / 8.5);
  return label.length <= max ? label : `${label.slice(0, max - 1)}…`;
}
