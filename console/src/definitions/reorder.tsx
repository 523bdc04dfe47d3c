import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface ReorderProps {
  /** Moves the item at a place to another, which there may not be. Absent: the order is as it is. */
  readonly move: ((from: number, to: number) => void) | undefined;
  readonly children: ReactNode;
}

const placeOf = (target: EventTarget | null): number =>
  Number((target instanceof Element && target.closest<HTMLElement>('[data-index]')?.dataset['index']) || Number.NaN);

/** Lets the user order the rows in it, each with its place as `data-index`: by their grips, or with Alt and ↑ or ↓. */
export function Reorder({ move, children }: ReorderProps) {
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef(Number.NaN);
  /** The row that gets the focus once it is there, and what had it. */
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] :is(button, input)`)?.focus();
    wanted.current = null;
  });
  const moveTo = (from: number, to: number): void => {
    if (Number.isNaN(from) || Number.isNaN(to) || from === to) return;
    move?.(from, to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const from = placeOf(event.target);
    if (move === undefined || step === undefined || !event.altKey || Number.isNaN(from)) return;
    event.preventDefault();
    wanted.current = list.current?.querySelector(`[data-index="${from + step}"]`) ? from + step : from;
    moveTo(from, from + step);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its rows have the controls.
    <div
      ref={list}
      onKeyDown={onKeyDown}
      onDragStart={({ target, dataTransfer }) => {
        dragged.current = placeOf(target);
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData('text/plain', '');
      }}
      onDragOver={(event) => !Number.isNaN(dragged.current) && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        moveTo(dragged.current, placeOf(event.target));
      }}
      onDragEnd={() => {
        dragged.current = Number.NaN;
      }}
    >
      {children}
    </div>
  );
}

export const Grip = () => (
  <span className="grip" draggable aria-hidden="true">
    <GripVertical />
  </span>
);
