import { useState } from 'react';
import { t } from '../language/language.ts';
import type { ListFilter, Search } from './list-filter.ts';
import { Choice } from './value-editors.tsx';

interface FilterPopupProps {
  readonly filters: readonly ListFilter[];
  /** The filter to change; otherwise the user chooses one first. */
  readonly only?: ListFilter;
  readonly search: Search;
  readonly change: (changes: Search) => void;
  readonly close: () => void;
}

/** Lets the user choose a filter, and then its value. */
export function FilterPopup({ filters, only, search, change, close }: FilterPopupProps) {
  const [filter, setFilter] = useState(only);
  const choose = (changes: Search): void => {
    change(changes);
    close();
  };
  const chooseFilter = (id: string): void => {
    const chosen = filters.find((one) => one.id === id);
    if (chosen?.on === undefined) setFilter(chosen);
    else choose(chosen.put(chosen.on));
  };
  if (filter?.Editor !== undefined) return <filter.Editor {...{ filter, search, change, choose }} />;
  const options = filters.map(({ id, name }) => ({ value: id, text: name }));
  return <Choice label={t('listBar.filterBy')} options={options} onChange={chooseFilter} />;
}
