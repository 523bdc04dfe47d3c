import { useState } from 'react';
import type { FilterEditors, ListFilter } from './filters.ts';
import { Choice, Popup } from './popup.tsx';
import type { PopupProps } from './popup-button.tsx';

interface FilterPopupProps<Search> extends PopupProps, FilterEditors<Search> {
  readonly filters: readonly ListFilter<Search>[];
  /** The filter to change; without it, first one is chosen. */
  readonly only?: ListFilter<Search>;
  readonly search: Search;
  readonly change: (changes: Search) => void;
}

/** Chooses a filter, and then what it lets through. */
export function FilterPopup<Search>(props: FilterPopupProps<Search>) {
  const { filters, only, search, change, triggerRef, close, FilterEditor } = props;
  const [filter, setFilter] = useState(only);
  const choose = (id: string): void => {
    const chosen = filters.find((one) => one.id === id);
    if (chosen?.only) {
      change(chosen.only);
      close();
    } else setFilter(chosen);
  };
  return (
    <Popup label={filter?.name ?? 'Filter by'} triggerRef={triggerRef} close={close}>
      {filter === undefined ? (
        <Choice
          label="Filter by"
          options={filters.map(({ id, name }) => ({ value: id, text: name }))}
          onChange={choose}
        />
      ) : (
        <FilterEditor id={filter.id} search={search} change={change} close={close} />
      )}
    </Popup>
  );
}
