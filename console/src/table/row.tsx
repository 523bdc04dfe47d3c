import { memo, type ReactNode } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Tick } from '../components/fields.tsx';
import { useIsChanged } from '../forms/use-is-changed.ts';
import { t } from '../language/language.ts';
import { type Column, classOf, type Listed, shownIn } from './columns.ts';
import type { TypedCell } from './grid.ts';

interface RowProps<Item extends Listed> {
  readonly index: number;
  /** Its place in the whole list. */
  readonly position: number;
  readonly row: Item;
  readonly columns: readonly Column<Item>[];
  /** Of the rows from this one on. */
  readonly heading: string | undefined;
  /** Whether it is shown beside the list. */
  readonly isInSidePanel: boolean;
  /** Pixels of rows before it that are not rendered. */
  readonly gap: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly kind: RecordKind | undefined;
  /** `undefined` in a list whose rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly select: ((id: number, isRange: boolean) => void) | undefined;
  actions?(row: Item): ReactNode;
  /** Of a grid: whose cells take the focus. */
  readonly isGrid: boolean;
  /** The column whose cell is edited, and the one whose cell has the focus. */
  readonly editing: string | undefined;
  readonly focused: string | undefined;
  /** What was typed into its cells, by column, until the list shows it. */
  readonly typed: ReadonlyMap<string, TypedCell> | undefined;
  editor?(row: Item, column: Column<Item>, before: TypedCell | undefined, isOpen: boolean): ReactNode;
}

function RowOf<Item extends Listed>(props: RowProps<Item>) {
  const { index, position, row, columns, gap, heading, isInSidePanel, measure, kind, isSelected, select, actions } =
    props;
  const { isGrid, editing, focused, typed, editor } = props;
  const isChanged = useIsChanged(kind, row.id);
  return (
    <tr
      aria-rowindex={position + 2}
      data-index={index}
      data-heading={heading}
      ref={measure}
      tabIndex={-1}
      style={gap > 0 ? { marginTop: gap } : undefined}
      aria-current={isInSidePanel || undefined}
      className={`row${isChanged ? ' changed' : ''}${isSelected === true ? ' selected' : ''}`}
    >
      {isSelected !== undefined && (
        <td className="pick" {...(isGrid && { tabIndex: -1 })}>
          <Tick
            label={t('table.select', { name: row.name })}
            isSelected={isSelected}
            onPress={(isRange) => select?.(row.id, isRange)}
          />
        </td>
      )}
      {columns.map((column) => {
        const id = column.id;
        const before = typed?.get(id);
        const canEdit = column.edit !== undefined && editor !== undefined;
        const isEdited = editing === id && canEdit;
        return (
          <td
            key={id}
            className={`name-text ${classOf(column)}${isEdited ? ' edited' : ''}${stateOf(before)}`}
            data-name={column.isChosen ? column.name : undefined}
            title={(before?.waits ? t('table.notYetSaved') : before?.problem) ?? column.text?.(row) ?? undefined}
            {...(isGrid && { tabIndex: -1, 'aria-readonly': !canEdit })}
            aria-invalid={before?.problem === undefined ? undefined : true}
          >
            {canEdit && (isEdited || focused === id) && editor(row, column, before, isEdited)}
            {!isEdited && before !== undefined && shownIn(column, before.typed)}
            {!isEdited && before === undefined && (column.cell === undefined ? column.text?.(row) : column.cell(row))}
          </td>
        );
      })}
      {actions !== undefined && <td className="row-actions">{actions(row)}</td>}
    </tr>
  );
}

/** A value that is on its way looks so after a while only: most are saved at once. */
function stateOf(typed: TypedCell | undefined): string {
  if (typed === undefined || typed.problem !== undefined) return '';
  return typed.waits ? ' waits' : ' sending';
}

/** Rendered again only when it has changed. */
export const Row: <Item extends Listed>(props: RowProps<Item>) => ReactNode = memo(RowOf);
