import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components/Button';

const narrow = window.matchMedia('(max-width: 40rem)');
const isNarrowNow = (): boolean => narrow.matches;
const onChange = (changed: () => void): (() => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

interface MoreFiltersProps {
  /** What is behind the button. */
  readonly text: string;
  /** How many of them are chosen. */
  readonly chosen: number;
  readonly children: ReactNode;
}

/** What there is beside the search: behind a button on a narrow screen, on which it would take the place of the list. */
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

/** How many of some choices are made. */
export const countChosen = (...choices: readonly unknown[]): number =>
  choices.filter((choice) => choice !== undefined).length;
