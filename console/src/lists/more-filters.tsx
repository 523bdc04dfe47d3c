import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components/Button';

const narrow = window.matchMedia('(max-width: 40rem)');
const isNarrowNow = (): boolean => narrow.matches;
const onChange = (changed: () => void): (() => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

interface MoreFiltersProps {
  /** The text of the button. */
  readonly text: string;
  /** The number of active filters. */
  readonly chosen: number;
  readonly children: ReactNode;
}

/** Filters; behind a button on a narrow screen, where they would push the list away. */
export function MoreFilters({ text, chosen, children }: MoreFiltersProps) {
  const isNarrow = useSyncExternalStore(onChange, isNarrowNow);
  const [isOpen, setIsOpen] = useState(false);
  if (!isNarrow) return children;
  return (
    <>
      <Button className="button" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
        {chosen === 0 ? text : `${text} (${chosen})`}
      </Button>
      {isOpen && children}
    </>
  );
}

export const countChosen = (...choices: readonly unknown[]): number =>
  choices.filter((choice) => choice !== undefined).length;
