import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useIsChanged } from '../api/use-is-changed.ts';
import { Time } from '../components/time.tsx';
import type { ProgramsQuery } from './documents.generated.ts';
import type { Order, ProgramsSearch } from './search.ts';

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

/** Rows that are rendered beyond the screen, and rows before the last at which the next page is requested. */
const overscan = 12;
const ahead = 60;

/** A table of which only the rows on the screen exist; more are loaded before the last is reached. */
export function ProgramTable({ list: { items, hasNext, isPrevious, loadMore }, search, total }: ProgramTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin(body.current?.offsetTop ?? 0);
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 53,
    overscan,
    scrollMargin,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
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
      <tbody ref={body} className="rows" style={{ height: rows.getTotalSize() }}>
        {visible.map(({ index, start, key }) => {
          const program = items[index];
          return (
            program !== undefined && (
              <Row
                key={key}
                index={index}
                offset={start - scrollMargin}
                program={program}
                measure={rows.measureElement}
                focusRow={focusRow}
              />
            )
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly index: number;
  readonly offset: number;
  readonly program: Program;
  readonly measure: (element: HTMLElement | null) => void;
  readonly focusRow: (index: number) => void;
}

function Row({ index, offset, program: { id, name, code, duration, updatedAt }, measure, focusRow }: RowProps) {
  const isChanged = useIsChanged('PROGRAM', id);
  const move = ({ key, preventDefault }: Pick<KeyboardEvent, 'key' | 'preventDefault'>): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[key];
    if (step === undefined) return;
    preventDefault();
    focusRow(index + step);
  };
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      ref={measure}
      className={isChanged ? 'row changed' : 'row'}
      style={{ transform: `translateY(${offset}px)` }}
      onKeyDown={(event) => move({ key: event.key, preventDefault: () => event.preventDefault() })}
    >
      <td className="name-text">
        <Link to="/programs/$programId" params={{ programId: id }}>
          {name}
        </Link>
      </td>
      <td className="program-code name-text">{code}</td>
      <td className="name-text">{duration}</td>
      <td className="when">
        <Time at={updatedAt} />
      </td>
    </tr>
  );
}

interface SortHeaderProps {
  readonly name: string;
  readonly ascending: Order;
  readonly descending: Order;
  readonly search: ProgramsSearch;
}

function SortHeader({ name, ascending, descending, search: { sort = 'NAME_ASC' } }: SortHeaderProps) {
  const navigate = useNavigate({ from: '/programs' });
  const direction = sort === ascending ? 'ascending' : sort === descending ? 'descending' : 'none';
  const next = sort === ascending ? descending : ascending;
  return (
    <th scope="col" aria-sort={direction}>
      <Button
        className="sort"
        onPress={() =>
          void navigate({ search: (previous) => ({ ...previous, sort: next === 'NAME_ASC' ? undefined : next }) })
        }
      >
        {name}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </Button>
    </th>
  );
}
