import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import { usePassFocus } from '../components/focus.ts';
import { SelectionBar, type SelectionBarProps } from '../list-bar/selection-bar.tsx';
import type { Listed } from '../table/columns.ts';
import type { RowKind } from '../table/row.tsx';
import { Table, type TableProps } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';

interface DeletedTableProps<Row extends Listed>
  extends Pick<TableProps<Row>, 'list' | 'columns' | 'total' | 'order' | 'onOrder' | 'hasKeys'>,
    Pick<SelectionBarProps, 'one' | 'many' | 'loadIds'> {
  readonly kind: RowKind;
  readonly search: string;
  readonly restore: (row: Row) => Promise<void>;
  readonly reload: () => void;
  /** Gets the focus when a row is removed. */
  readonly content: RefObject<HTMLElement | null>;
}

/** Deleted records of a kind, which come back one by one, or many at once. */
export function DeletedTable<Row extends Listed>(props: DeletedTableProps<Row>) {
  const { kind, one, many, list, total, loadIds, search, restore, reload, content, ...table } = props;
  const selection = useSelection(list.items, search);
  const latest = useRef({ restore, reload });
  useEffect(() => {
    latest.current = { restore, reload };
  });
  const actions = useCallback(
    (row: Row) => {
      const run = (): void => void latest.current.restore(row).then(() => latest.current.reload());
      return <RestoreButton name={row.name} restore={run} content={content} />;
    },
    [content],
  );
  if (list.items.length === 0 && !list.hasNext) return null;
  return (
    <section aria-label={`Deleted ${many}`}>
      <h2>{many.charAt(0).toUpperCase() + many.slice(1)}</h2>
      <Table label={`Deleted ${many}`} list={list} total={total} selection={selection} actions={actions} {...table} />
      <SelectionBar
        selection={selection}
        total={total}
        one={one}
        many={many}
        {...(loadIds !== undefined && { loadIds })}
      >
        <BulkActions kind={kind} selection={selection} items={list.items} actions={['restore']} changed={reload} />
      </SelectionBar>
    </section>
  );
}

interface RestoreButtonProps {
  readonly name: string;
  readonly restore: () => void;
  readonly content: RefObject<HTMLElement | null>;
}

function RestoreButton({ name, restore, content }: RestoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  usePassFocus(button, content);
  return (
    <Button ref={button} className="button" aria-label={`Restore ${name}`} onPress={restore}>
      Restore
    </Button>
  );
}
