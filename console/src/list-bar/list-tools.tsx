import { useState } from 'react';
import { BusyButton } from '../components/busy-button.tsx';
import { PopupButton } from '../components/popup-button.tsx';
import type { Column } from '../table/columns.ts';
import { ColumnsPopup } from './columns-popup.tsx';
import type { ListName, View } from './kept.ts';
import { ViewsPopup } from './views-popup.tsx';

interface ListToolsProps<Row> {
  readonly list: ListName;
  readonly search: View['search'];
  /** Opens a saved view. */
  readonly open: (search: View['search']) => void;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly choose: (columns: readonly Column<Row>[] | null) => void;
  /** Loads the rows that are not loaded yet. */
  readonly loadAll: (max: number) => Promise<unknown>;
}

/** Saved views, columns, and printing. */
export function ListTools<Row>({ list, search, open, columns, shown, choose, loadAll }: ListToolsProps<Row>) {
  return (
    <>
      <PopupButton text="Views" className="button quiet">
        {(close) => <ViewsPopup list={list} search={search} open={open} close={close} />}
      </PopupButton>
      <PopupButton text="Columns" className="button quiet">
        {() => <ColumnsPopup columns={columns} shown={shown} choose={choose} />}
      </PopupButton>
      <PrintButton loadAll={loadAll} />
    </>
  );
}

/** The most rows that are loaded to be printed. */
const printedMax = 1_000;

function PrintButton({ loadAll }: Pick<ListToolsProps<never>, 'loadAll'>) {
  const [isPreparing, setIsPreparing] = useState(false);
  const print = async (): Promise<void> => {
    setIsPreparing(true);
    await loadAll(printedMax);
    setIsPreparing(false);
    window.print();
  };
  return (
    <BusyButton className="button quiet" isBusy={isPreparing} onClick={() => void print()}>
      {isPreparing ? 'Loading all…' : 'Print'}
    </BusyButton>
  );
}
