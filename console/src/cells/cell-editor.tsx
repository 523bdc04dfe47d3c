import { type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Suggestions } from '../components/fields.tsx';
import { usePageEvent } from '../components/use-page-event.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import type { EditorProps, Step } from '../table/grid.ts';
import type { CellEdits } from './use-cell-edits.ts';

type CellEditorProps<Row> = EditorProps<Row> & Pick<CellEdits<Row>, 'save' | 'forget'>;

const useNone = (): readonly string[] => [];

/** The field in a cell. Enter saves and goes down, Tab goes on, Escape leaves the cell as it was. */
export function CellEditor<Row extends Versioned>(props: CellEditorProps<Row>) {
  const { row, column, before, leave, save, forget } = props;
  const { edit } = column;
  const suggestions = (edit?.useSuggestions ?? useNone)();
  const value = edit?.value(row) ?? '';
  // Shift with Enter begins another line.
  const isLong = edit?.isLong === true;
  const id = useId();
  /** Values that the user knows of, their own included. */
  const [known] = useState([value, before?.typed, before?.theirs]);
  const [typed, setTyped] = useState(before?.typed ?? value);
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const Field = isLong ? 'textarea' : 'input';
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const isOvertaken = value !== typed && !known.includes(value);
  const note = isOvertaken ? t('cells.overtaken', { value }) : before?.problem;
  /** Gives the stored value that the user knows: after a conflict that of the other, which the list may not show yet. */
  const seen = (): string => (value === known[0] ? (before?.theirs ?? value) : value);
  /** What the cell will have: a text on its way is not in the row yet. */
  const current = before !== undefined && before.problem === undefined ? before.typed : value;
  const isChanged = typed !== current;
  const finish = (step: Step): void => {
    if (isDone.current) return;
    isDone.current = true;
    if (isChanged) save(row, column, typed, seen());
    else if (typed === value) forget(row.id, column.id);
    leave(step);
  };
  // A user who goes to another screen leaves the cell, too; it cannot be saved while the page unloads.
  const saveLeft = useEffectEvent(() => {
    if (!isDone.current && isChanged) save(row, column, typed, seen());
  });
  useEffect(() => () => saveLeft(), []);
  usePageEvent('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    // Neither the list nor the page handles a key of the field.
    event.stopPropagation();
    if (event.key === 'Escape') {
      isDone.current = true;
      forget(row.id, column.id);
      leave('stay');
    } else if (event.key === 'Enter' && !(isLong && event.shiftKey)) finish('down');
    else if (event.key === 'Tab') finish(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
  };
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    // Not when the window loses the focus.
    if (relatedTarget !== null || document.hasFocus()) finish('away');
  };
  return (
    <span className="cell-editor">
      <Field
        ref={field}
        className="input"
        aria-label={t('cells.cell', { column: column.name, row: row.name })}
        aria-describedby={id}
        aria-invalid={note !== undefined}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        {...(suggestions.length > 0 && { list: `${id}-list` })}
      />
      <Suggestions id={`${id}-list`} values={suggestions} />
      <span id={id} role="status" className={note === undefined ? 'visually-hidden' : 'cell-note'}>
        {note}
      </span>
    </span>
  );
}
