import type { ReactNode } from 'react';
import { knownHeight } from '../components/known-height.ts';
import { PopupButton } from '../components/popup-button.tsx';
import { t } from '../language/language.ts';
import { FilterPopup } from './filter-popup.tsx';
import type { ListFilter, Search } from './list-filter.ts';

/** The head of the table sticks below it. */
const barHeight = knownHeight('--list-bar');

interface ListBarProps {
  readonly search: Search;
  readonly filters: readonly ListFilter[];
  readonly change: (changes: Search) => void;
  /** The search field. */
  readonly find?: ReactNode;
  readonly clear?: (() => void) | undefined;
  /** The count and the tools of the list. */
  readonly children: ReactNode;
}

/** The search and the filters of a list, each filter as a chip. Sticks to the top of the window. */
export function ListBar({ search, filters, change, find, clear, children }: ListBarProps) {
  const chosen = filters.filter(({ value }) => value !== undefined);
  const rest = filters.filter(({ value, Editor, on }) => value === undefined && (Editor ?? on) !== undefined);
  return (
    <div className="list-bar" ref={barHeight}>
      <search className="chips">
        {find}
        {chosen.map((filter) => (
          <span className="chip" key={filter.id}>
            <PopupButton
              text={`${filter.name}: ${filter.text ?? filter.value}`}
              isDisabled={filter.Editor === undefined}
            >
              {(close) => <FilterPopup only={filter} {...{ filters, search, change, close }} />}
            </PopupButton>
            <button
              type="button"
              aria-label={t('listBar.removeFilter', { name: filter.name })}
              onClick={() => change(filter.put())}
            >
              ×
            </button>
          </span>
        ))}
        {rest.length > 0 && (
          <PopupButton text={t('listBar.addFilter')} className="button quiet">
            {(close) => <FilterPopup filters={rest} {...{ search, change, close }} />}
          </PopupButton>
        )}
        {clear !== undefined && (
          <button type="button" className="button quiet" onClick={clear}>
            {t('listBar.clearAll')}
          </button>
        )}
      </search>
      <div className="list-tools">{children}</div>
    </div>
  );
}
