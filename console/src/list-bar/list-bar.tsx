import { Fragment, type ReactNode } from 'react';
import { knownHeight } from '../browser/known-height.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { PopupButton } from '../overlays/popup-button.tsx';
import { PrintTitle } from '../records/print-title.tsx';
import { FilterPopup } from './filter-popup.tsx';
import { describeFilters, sentenceOf } from './filters.ts';

/** The head of the table sticks below it. */
const barHeight = knownHeight('--list-bar');

interface ListBarProps {
  readonly search: Search;
  readonly filters: readonly ListFilter[];
  readonly change: (changes: Search) => void;
  readonly find?: ReactNode;
  /** Whether any of the filters may match, instead of all; `undefined` for a list without that choice. */
  readonly isAny?: boolean;
  readonly clear: () => void;
  /** What is printed beside the filters. */
  readonly printed?: string;
  /** The count and the tools of the list. */
  readonly children: ReactNode;
}

/** The search and the filters of a list, each filter as a chip. Sticks to the top of the window. */
export function ListBar({ search, filters, change, find, isAny, clear, printed = '', children }: ListBarProps) {
  const match = isAny === true ? 'any' : 'all';
  const chosen = filters.filter(({ value }) => value !== undefined);
  const isMore = filters.some(({ value, Editor, on }) => value === undefined && (Editor ?? on) !== undefined);
  const title = describeFilters(filters, search);
  return (
    <>
      <div className="list-bar" ref={barHeight}>
        <search className="chips">
          {find}
          {chosen.map((filter, at) => (
            <Fragment key={filter.id}>
              {at > 0 && isAny !== undefined && filter.condition && chosen[at - 1]?.condition && (
                <Button
                  look="quiet"
                  title={t('filters.turn', { match })}
                  onClick={() => change({ match: isAny ? undefined : 'any' })}
                >
                  {t('filters.between', { match })}
                </Button>
              )}
              <span className="chip">
                <PopupButton text={sentenceOf(filter)} isDisabled={filter.Editor === undefined}>
                  {(close) => <FilterPopup only={filter.id} {...{ filters, search, change, close }} />}
                </PopupButton>
                <button
                  type="button"
                  aria-label={t('listBar.removeFilter', { name: filter.name })}
                  onClick={() => change(filter.put())}
                >
                  ×
                </button>
              </span>
            </Fragment>
          ))}
          {isMore && (
            <PopupButton text={t('listBar.addFilter')} className="button quiet">
              {(close) => <FilterPopup {...{ filters, search, change, close }} />}
            </PopupButton>
          )}
          {title !== '' && (
            <Button look="quiet" className="clear" onClick={clear}>
              {t('listBar.clearAll')}
            </Button>
          )}
        </search>
        <div className="list-tools">{children}</div>
      </div>
      <PrintTitle parts={[title, printed]} />
    </>
  );
}
