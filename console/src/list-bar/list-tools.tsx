import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Column } from '../table/columns.ts';
import type { ListName, View } from './kept.ts';
import { PopupButton } from './popup-button.tsx';

interface ListToolsProps<Row> {
  readonly list: ListName;
  readonly search: View['search'];
  /** Opens a saved view. */
  readonly open: (search: View['search']) => void;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly choose: (columns: readonly Column<Row>[] | null) => void;
  readonly pages: Pages;
}

/** Saved views, columns, and printing. */
export function ListTools<Row>({ list, search, open, columns, shown, choose, pages }: ListToolsProps<Row>) {
  return (
    <>
      <PopupButton text="Views" className="button quiet" load={() => import('./views-popup.tsx')}>
        {({ ViewsPopup }, popup) => <ViewsPopup {...popup} list={list} search={search} open={open} />}
      </PopupButton>
      <PopupButton text="Columns" className="button quiet" load={() => import('./columns-popup.tsx')}>
        {({ ColumnsPopup }, popup) => <ColumnsPopup {...popup} columns={columns} shown={shown} choose={choose} />}
      </PopupButton>
      <PrintButton pages={pages} />
    </>
  );
}

interface Pages {
  readonly items: readonly unknown[];
  readonly hasNext: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
}

/** The most rows that are loaded to be printed. */
const printedMax = 1_000;

/** Loads the rows that are not loaded yet, and prints. */
function PrintButton({ pages: { items, hasNext, isLoading, loadMore } }: { readonly pages: Pages }) {
  const [isPreparing, setIsPreparing] = useState(false);
  const isComplete = !hasNext || items.length >= printedMax;
  const print = useRef(() => window.print());
  useEffect(() => {
    if (!isPreparing || isLoading) return;
    if (!isComplete) {
      loadMore();
      return;
    }
    setIsPreparing(false);
    print.current();
  }, [isPreparing, isLoading, isComplete, loadMore]);
  return (
    <Button className="button quiet" isPending={isPreparing} onPress={() => setIsPreparing(true)}>
      {isPreparing ? 'Loading all…' : 'Print'}
    </Button>
  );
}
