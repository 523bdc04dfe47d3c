import { useNavigate } from '@tanstack/react-router';
import { type Rect, useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Time } from '../format/time.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { ProgramLink } from '../records/program-link.tsx';
import type { ProgramsQuery } from './documents.generated.ts';
import { keepHeights, keptHeights } from './row-heights.ts';
import { describeMatches, type Order, orderOf, type ProgramsSearch, sortedBy } from './search.ts';
import { useRowKeys } from './use-row-keys.ts';

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

/** As in `programs.css`. */
const rowHeight = (): number => (matchMedia('(max-width: 40rem)').matches ? 67 : 36);

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
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  const before = (visible[0]?.start ?? scrollMargin) - scrollMargin;
  const after = rows.getTotalSize() - ((visible.at(-1)?.end ?? scrollMargin) - scrollMargin);
  useEffect(() => {
    if (hasNext && lastVisible >= items.length - ahead) loadMore();
  }, [hasNext, lastVisible, items.length, loadMore]);
  useRowKeys(body, items.length, (index) => rows.scrollToIndex(index));
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
      <tbody ref={body} className="rows">
        {visible.map(({ index, key }) => {
          const program = items[index];
          return program && <Row key={key} index={index} program={program} measure={rows.measureElement} />;
        })}
      </tbody>
      <tbody aria-hidden="true" style={{ height: after }} />
    </table>
  );
}

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
      <td className="name-text" title={name}>
        <ProgramLink id={id}>{name}</ProgramLink>
        {matchedBranches.length > 0 && (
          <span className="hint matched">{describeMatches(matchedBranches.map((branch) => branch.name))}</span>
        )}
      </td>
      <td className="program-code name-text" title={code ?? undefined}>
        {code}
      </td>
      <td className="name-text" title={duration}>
        {duration}
      </td>
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
