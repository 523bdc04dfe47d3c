import { useState } from 'react';
import { t } from '../language/language.ts';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { Choice } from './conditions/value-editors.tsx';

interface FilterPopupProps {
  readonly filters: readonly ListFilter[];
  /** The id of the filter to change; otherwise the user chooses one first. */
  readonly only?: string;
  readonly search: Search;
  readonly change: (changes: Search) => void;
  readonly close: () => void;
}

export function FilterPopup({ filters, only, search, change, close }: FilterPopupProps) {
  const [id, setId] = useState(only);
  const filter = filters.find((one) => one.id === id);
  const choose = (changes: Search): void => {
    change(changes);
    close();
  };
  const chooseFilter = (next: string): void => {
    const chosen = filters.find((one) => one.id === next);
    if (chosen?.on === undefined) setId(next);
    else choose(chosen.put(chosen.on));
  };
  if (filter?.Editor !== undefined) return <filter.Editor {...{ filter, search, change, choose }} />;
  const offered = filters.filter(({ value, Editor, on }) => value === undefined && (Editor ?? on) !== undefined);
  const options = offered.map((one) => ({ value: one.id, text: one.name }));
  return <Choice label={t('listBar.filterBy')} options={options} onChange={chooseFilter} />;
}
