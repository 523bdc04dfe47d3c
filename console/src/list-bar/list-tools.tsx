import type { UseQueryState } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { TaskButton } from '../components/button.tsx';
import { t } from '../language/language.ts';
import type { Search } from '../lists/list-filter.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { PopupButton } from '../overlays/popup-button.tsx';
import { ColumnsPopup } from './columns-popup.tsx';
import { listNames } from './saved-views.ts';
import type { ChosenColumns } from './use-chosen-columns.ts';
import { ViewsPopup } from './views-popup.tsx';

const printedMax = 5_000;

interface ListToolsProps<Row> {
  readonly kind: RecordKind;
  readonly search: Search;
  /** Shows a saved view. */
  readonly open: (view: Search) => void;
  readonly list: Pick<UsedPageList<Row>, 'isPrevious' | 'loadAll'>;
  readonly total: number | undefined;
  readonly count: Pick<UseQueryState, 'error' | 'stale'>;
  readonly columns: ChosenColumns<Row>;
}

/** How many records a list has; its views, its columns, and all of it on paper. */
export function ListTools<Row>({ kind, search, open, list, total, count, columns }: ListToolsProps<Row>) {
  const isCounting = count.error === undefined && (total === undefined || (count.stale && list.isPrevious));
  return (
    <>
      <p role="status" className="hint">
        {isCounting ? t('listBar.counting') : total !== undefined && t('common.count', { kind, count: total })}
      </p>
      <PopupButton text={t('listBar.views')} className="button quiet">
        {(close) => <ViewsPopup list={listNames[kind]} {...{ search, open, close }} columns={columns.names} />}
      </PopupButton>
      <PopupButton text={t('listBar.columns')} className="button quiet">
        {(close) => (
          <ColumnsPopup
            columns={columns.all}
            shown={columns.shown}
            add={(attribute) => {
              columns.add(attribute);
              close();
            }}
            choose={columns.choose}
          />
        )}
      </PopupButton>
      <TaskButton
        look="quiet"
        busyText={t('listBar.loadingAll')}
        run={() => list.loadAll(printedMax).then(() => window.print())}
      >
        {t('listBar.print')}
      </TaskButton>
    </>
  );
}
