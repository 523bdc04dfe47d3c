import { type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Suggestions } from '../components/fields.tsx';
import { useIsReadable } from '../components/use-is-readable.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import type { EditorProps, Step } from '../table/grid.ts';
import { changeUnsaved, dropOpenCell, keepOpenCell, withCell, withoutCell } from './unsaved.ts';

type CellEditorProps<Row> = EditorProps<Row> & { readonly kind: RecordKind };

const useNone = (): readonly string[] => [];

/** The field in a cell. Enter saves and goes down, Tab goes on, Escape leaves the cell as it was. */
export function CellEditor<Row extends Versioned>({ kind, row, column, before, leave }: CellEditorProps<Row>) {
  const { viewer } = useRights();
  const { edit } = column;
  const suggestions = (edit?.useSuggestions ?? useNone)();
  const value = edit?.value(row) ?? '';
  // Shift with Enter begins another line.
  const isLong = edit?.isLong === true;
  const id = useId();
  const [opened] = useState(() => {
    const isOnItsWay = before !== undefined && before.problem === undefined;
    const seen = before?.known ?? [value];
    return { text: before?.typed ?? value, isOnItsWay, known: isOnItsWay ? [...seen, before.typed] : seen };
  });
  const { isOnItsWay, known } = opened;
  const [typed, setTyped] = useState(opened.text);
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const Field = isLong ? 'textarea' : 'input';
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  /** The value of somebody else, which the list may not show yet. */
  const theirs = known.includes(value) ? before?.theirs : value;
  const isTouched = typed !== (isOnItsWay ? opened.text : known[0]);
  const isOvertaken = isTouched && theirs !== undefined && theirs !== typed;
  const news = !isTouched && theirs !== undefined ? t('forms.waiting') : before?.problem;
  const note = isOvertaken ? t('cells.overtaken', { value: theirs }) : news;
  const isReadable = useIsReadable(note);
  const cell = {
    kind,
    id: row.id,
    field: column.id,
    name: row.name,
    heading: column.name,
    typed,
    known,
    version: row.version,
    by: viewer.name ?? '',
  };
  const forget = (): void => changeUnsaved((cells) => withoutCell(cells, cell));
  const change = (text: string): void => {
    setTyped(text);
    keepOpenCell({ ...cell, typed: text });
  };
  /** Saves what was typed, but not over a value of somebody else that the user has not chosen to replace. */
  const keep = (isChosen: boolean): void => {
    dropOpenCell();
    if (typed === opened.text && !(isChosen && before?.problem !== undefined)) return;
    if (!isTouched) forget();
    else if (isOvertaken && !isChosen) {
      const problem = t('cells.theirs', { value: theirs });
      changeUnsaved((cells) => withCell(cells, { ...cell, theirs, problem }));
    } else changeUnsaved((cells) => withCell(cells, { ...cell, known: [...known, theirs ?? value] }));
  };
  const finish = (step: Step, isChosen = false): void => {
    if (isDone.current) return;
    isDone.current = true;
    keep(isChosen);
    leave(step);
  };
  // A user who goes to another screen leaves the cell, too.
  const leaveUnfinished = useEffectEvent(() => {
    if (!isDone.current) keep(false);
  });
  useEffect(() => () => leaveUnfinished(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    // Neither the list nor the page handles a key of the field.
    event.stopPropagation();
    if (event.key === 'Escape') {
      isDone.current = true;
      dropOpenCell();
      if (before?.problem !== undefined) forget();
      leave('stay');
    } else if (event.key === 'Enter' && !(isLong && event.shiftKey)) {
      // It was pressed before anybody could have read that there is a choice.
      if (!isOvertaken || isReadable) finish('down', true);
    } else if (event.key === 'Tab') finish(event.shiftKey ? 'previous' : 'next');
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
        onChange={({ target }) => change(target.value)}
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
