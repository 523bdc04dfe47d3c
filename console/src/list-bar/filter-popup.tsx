import { useState } from 'react';
import { Choice } from './choice.tsx';
import type { FilterEditor, ListFilter } from './filters.ts';

interface FilterPopupProps<Search> {
  readonly Editor: FilterEditor<Search>;
  readonly filters: readonly ListFilter<Search>[];
  /** The filter to change; otherwise the user chooses one first. */
  readonly only?: ListFilter<Search>;
  readonly search: Search;
  readonly change: (changes: Search) => void;
  readonly close: () => void;
}

/** Lets the user choose a filter, and then its value. */
export function FilterPopup<Search>(props: FilterPopupProps<Search>) {
  const { filters, only, search, change, close, Editor } = props;
  const [filter, setFilter] = useState(only);
  const choose = (changes: Search): void => {
    change(changes);
    close();
  };
  const chooseFilter = (id: string): void => {
    const chosen = filters.find((one) => one.id === id);
    if (chosen?.only) choose(chosen.only);
    else setFilter(chosen);
  };
  return filter === undefined ? (
    <Choice
      label="Filter by"
      options={filters.map(({ id, name }) => ({ value: id, text: name }))}
      onChange={chooseFilter}
    />
  ) : (
    <Editor id={filter.id} search={search} change={change} choose={choose} />
  );
}
