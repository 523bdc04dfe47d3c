import { useNavigate } from '@tanstack/react-router';
import { type Rect, useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Time } from '../format/time.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { ProgramLink } from '../records/program-link.tsx';
import { isOccupied } from '../shell/shortcuts.ts';
import type { ProgramsQuery } from './documents.generated.ts';
import { keepHeights, keptHeights } from './row-heights.ts';
import { describeMatches, type Order, orderOf, type ProgramsSearch, sortedBy } from './search.ts';

type Program = ProgramsQuery['programsConnection']['nodes'][number];

interface ProgramTableProps {
  readonly list: {
    readonly items: readonly Program[];
    readonly hasNext: boolean;
    readonly isPrevious: boolean;
    readonly loadMore: () => void;
  };
  readonly search: ProgramsSearch;
  readonly total?: number;
}

/** Rows rendered outside of the window, and how many rows before the end the next page is requested. */
const overscan = 12;
const ahead = 60;

/** A name on one line, as in `programs.css`. */
const rowHeight = (): number => (matchMedia('(max-width: 40rem)').matches ? 75 : 50);

const windowRect = (): Rect => ({ width: window.innerWidth, height: window.innerHeight });

/**
 * A virtualized table. Two spacers position the rows: inline styles on each row would make the browser recompute the
 * style of every cell while scrolling.
 */
export function ProgramTable({ list, search, total }: ProgramTableProps) {
  const { items, hasNext, isPrevious, loadMore } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const spaceBefore = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin(window.scrollY + (spaceBefore.current?.getBoundingClientRect().top ?? 0));
  }, []);
  // A new function would make the virtualizer measure all rows again.
  const getItemKey = useCallback((index: number) => items[index]?.id ?? index, [items]);
  const [usualHeight] = useState(rowHeight);
  const [initialRect] = useState(windowRect);
  const [initialMeasurementsCache] = useState(keptHeights);
  const estimateSize = useCallback(() => usualHeight, [usualHeight]);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize,
    overscan,
    initialRect,
    initialMeasurementsCache,
    scrollMargin,
    getItemKey,
  });
  useEffect(() => {
    const keep = (): void => keepHeights(rows.takeSnapshot(), usualHeight);
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [rows, usualHeight]);
  useEffect(() => {
    window.addEventListener('keydown', goToEnds);
    return () => window.removeEventListener('keydown', goToEnds);
  }, []);
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  const before = (visible[0]?.start ?? scrollMargin) - scrollMargin;
  const after = rows.getTotalSize() - ((visible.at(-1)?.end ?? scrollMargin) - scrollMargin);
  useEffect(() => {
    if (hasNext && lastVisible >= items.length - ahead) loadMore();
  }, [hasNext, lastVisible, items.length, loadMore]);
  const focusRow = (index: number): void => {
    if (index < 0 || index >= items.length) return;
    rows.scrollToIndex(index);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus());
  };
  return (
    <table
      aria-label="Programs"
      aria-rowcount={(total ?? items.length) + 1}
      aria-busy={isPrevious}
      className="programs"
    >
      <thead>
        <tr aria-rowindex={1} className="row head">
          <SortHeader name="Name" ascending="NAME_ASC" descending="NAME_DESC" search={search} />
          <th scope="col">Code</th>
          <th scope="col">Duration</th>
          <SortHeader name="Changed" ascending="UPDATED_ASC" descending="UPDATED_DESC" search={search} />
        </tr>
      </thead>
      <tbody ref={spaceBefore} aria-hidden="true" style={{ height: before }} />
      <tbody
        ref={body}
        className="rows"
        onKeyDown={(event) => {
          const step = steps[event.key];
          const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-index]');
          if (step === undefined || !row) return;
          event.preventDefault();
          focusRow(Number(row.dataset['index']) + step);
        }}
      >
        {visible.map(({ index, key }) => {
          const program = items[index];
          return program && <Row key={key} index={index} program={program} measure={rows.measureElement} />;
        })}
      </tbody>
      <tbody aria-hidden="true" style={{ height: after }} />
    </table>
  );
}

/** Home and End jump: a smooth scroll would render the rows in between. */
function goToEnds(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const top = { Home: 0, End: document.documentElement.scrollHeight }[key];
  if (top === undefined || ctrlKey || metaKey || altKey || shiftKey || isOccupied(event)) return;
  event.preventDefault();
  window.scrollTo({ top, behavior: 'instant' });
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface RowProps {
  readonly index: number;
  readonly program: Program;
  readonly measure: (element: HTMLElement | null) => void;
}

const Row = memo(function Row({ index, program, measure }: RowProps) {
  const { id, name, code, duration, updatedAt, matchedBranches = [] } = program;
  const isChanged = useIsChanged('PROGRAM', id);
  return (
    <tr aria-rowindex={index + 2} data-index={index} ref={measure} className={isChanged ? 'row changed' : 'row'}>
      <td className="name-text">
        <ProgramLink id={id}>{name}</ProgramLink>
        {matchedBranches.length > 0 && (
          <p className="hint matched">{describeMatches(matchedBranches.map((branch) => branch.name))}</p>
        )}
      </td>
      <td className="program-code name-text">{code}</td>
      <td className="name-text">{duration}</td>
      <td className="when">
        <Time at={updatedAt} />
      </td>
    </tr>
  );
});

interface SortHeaderProps {
  readonly name: string;
  readonly ascending: Order;
  readonly descending: Order;
  readonly search: ProgramsSearch;
}

function SortHeader({ name, ascending, descending, search }: SortHeaderProps) {
  const navigate = useNavigate({ from: '/programs' });
  const sort = orderOf(search);
  const direction = sort === ascending ? 'ascending' : sort === descending ? 'descending' : 'none';
  const next = sort === ascending ? descending : ascending;
  return (
    <th scope="col" aria-sort={direction}>
      <Button className="sort" onPress={() => void navigate({ search: (previous) => sortedBy(previous, next) })}>
        {name}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </Button>
    </th>
  );
}
