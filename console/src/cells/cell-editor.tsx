import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Options, Suggestions, useSteady } from '../components/fields.tsx';
import { useIsReadable } from '../components/use-is-readable.ts';
import { shortened } from '../format/text.ts';
import { useSavers } from '../forms/savers.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { type Column, shownIn } from '../table/columns.ts';
import type { EditorProps, Step } from '../table/grid.ts';
import { arrowStep, hasSuggestions, listTakesKeys } from './arrow-keys.ts';
import { type UnsavedCell, withCell, withoutCell } from './unsaved.ts';
import { changeUnsaved, dropOpenCell, keepOpenCell } from './unsaved-store.ts';

interface CellEditorProps<Row> extends EditorProps<Row> {
  readonly kind: RecordKind;
  /** The value that the user has seen, which somebody else may just have replaced. */
  readonly seenIn: (row: Row, column: Column<Row>) => string;
  /** Whether Tab has opened the cell: nobody may want to edit it. */
  readonly wasTabbed: RefObject<boolean>;
}

const useNone = (): readonly string[] => [];

/**
 * The field in a cell; a select where it has choices. It is rendered, invisible, as soon as the cell has the focus, so
 * that it gets the first letter and the first composition, which replace the text; Delete and Backspace empty the cell.
 * Once it is open, Enter saves and goes down, Tab goes on, Escape leaves the cell as it was; so does an arrow after Tab.
 * In what began with a letter, an arrow saves and leaves, unless it chooses among suggestions, until F2 or a click.
 */
export function CellEditor<Row extends Versioned>(props: CellEditorProps<Row>) {
  const { kind, row, column, before, isOpen, seenIn, wasTabbed, open, leave } = props;
  const { viewer } = useRights();
  const { edit } = column;
  const suggestions = (edit?.useSuggestions ?? useNone)();
  const value = edit?.value(row) ?? '';
  // Shift with Enter begins another line.
  const isLong = edit?.isLong === true;
  const id = useId();
  /** The edit as it begins, with what the user has seen in the cell, and what they have sent. */
  const beginning = (current = before === undefined ? seenIn(row, column) : value) => {
    const isOnItsWay = before !== undefined && before.problem === undefined;
    const seen = before?.known ?? [current];
    const text = before?.typed ?? value;
    const untouched = before?.problem === undefined ? text : seen[0];
    const known = isOnItsWay ? [...seen, text] : seen;
    return { text, typed: text, untouched, isTyped: false, stays: false, known, address: window.location.href };
  };
  // A composition that opens the cell begins without them.
  const { offered, composing } = useSteady(isOpen ? suggestions : []);
  const [begun, setBegun] = useState<ReturnType<typeof beginning> | null>(null);
  if (isOpen !== (begun !== null)) setBegun(isOpen ? beginning() : null);
  const { text, typed, untouched, isTyped, stays, known, address } = begun ?? beginning(value);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const areSuggested = !listTakesKeys && closedAt !== typed && hasSuggestions(offered, typed);
  const options = edit?.optionsFor?.(typed);
  const isDone = useRef(true);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const picker = useRef<HTMLSelectElement>(null);
  const Field = isLong ? 'textarea' : 'input';
  const takeFocus = useEffectEvent(() => {
    const current = picker.current ?? field.current;
    if (isOpen || current?.closest('td') === document.activeElement) current?.focus({ preventScroll: !isOpen });
    // What was typed begins the text.
    if (isOpen && isDone.current) field.current?.select();
    isDone.current = !isOpen;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is opened, and when it is there.
  useEffect(() => takeFocus(), [isOpen]);
  /** The value of somebody else, which the list may not show yet. */
  const theirs = known.includes(value) ? before?.theirs : value;
  const saverOf = useSavers({ kind, id: row.id }, theirs !== undefined);
  const isTouched = typed !== untouched;
  const isOvertaken = isTouched && theirs !== undefined && theirs !== typed;
  const isShown = theirs === typed;
  const whose = {
    by: saverOf(column.id, theirs),
    value: shortened(shownIn(column, theirs ?? '')),
  };
  const news =
    !isTouched && theirs !== undefined
      ? `${t('forms.changed', whose)} ${t(isShown ? 'forms.takenOver' : 'forms.waiting')}`
      : before?.problem;
  const note = isOvertaken ? `${t('cells.theirs', whose)} ${t('cells.overtaken')}` : news;
  const isReadable = useIsReadable(note);
  const { name, version } = row;
  const cell = { kind, id: row.id, field: column.id, name, heading: column.name, typed, known, version };
  const put = (changed: Partial<UnsavedCell>): void =>
    changeUnsaved((cells) => withCell(cells, { ...cell, by: viewer.name ?? '', ...changed }));
  const forget = (): void => changeUnsaved((cells) => withoutCell(cells, cell));
  const change = (next: string): void => {
    isDone.current = false;
    // What begins with a letter goes on as a text.
    setBegun({ ...(begun ?? { ...beginning(), isTyped: true }), typed: next });
    keepOpenCell({ ...cell, by: null, typed: next });
    if (!isOpen) open();
  };
  /**
   * Saves what was typed, but not over a value of somebody else that the user has not chosen to replace. Until the user
   * has left the cell, it waits for them.
   */
  const keep = (isChosen: boolean, isLeft = true): void => {
    dropOpenCell();
    if (typed === text && !(isChosen && before?.problem !== undefined)) return;
    if (!isTouched) forget();
    else if (!isLeft) put({ by: null, waits: true });
    else if (isOvertaken && !isChosen) put({ theirs, problem: t('cells.theirs', whose) });
    else put({ known: theirs === undefined ? known : [theirs] });
  };
  const stay = (): void => setBegun(begun && { ...begun, stays: true });
  const finish = (step: Step, isChosen = false): void => {
    if (isDone.current) return;
    isDone.current = true;
    keep(isChosen);
    leave(step);
  };
  // A user who goes to another screen leaves the cell, too. One whose cell is taken away has not decided yet.
  const leaveUnfinished = useEffectEvent(() => {
    if (!isDone.current) keep(false, address !== window.location.href);
  });
  useEffect(() => () => leaveUnfinished(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    if (!isOpen) {
      if (key !== 'Delete' && key !== 'Backspace') return;
      event.preventDefault();
      // The user chooses, as after any letter.
      if (theirs !== undefined || beginning().known[0] !== known[0]) change('');
      else if (typed !== '') put({ typed: '' });
      return;
    }
    // Neither the list nor the page handles a key of the field.
    event.stopPropagation();
    const leaves = isTyped ? !stays : wasTabbed.current && typed === text;
    const arrow = leaves && picker.current === null ? arrowStep(event.nativeEvent) : undefined;
    const isChoosing = areSuggested && (arrow === 'up' || arrow === 'down');
    if (arrow !== undefined && !isChoosing) finish(arrow);
    else if (key === 'F2') stay();
    else if (key === 'Escape' && areSuggested && isTyped) {
      setClosedAt(typed);
      return;
    } else if (key === 'Escape') {
      isDone.current = true;
      dropOpenCell();
      if (before?.problem !== undefined) forget();
      leave('stay');
    } else if (key === 'Enter' && !(isLong && shiftKey)) {
      // It was pressed before anybody could have read that there is a choice.
      if (!isOvertaken || isReadable) finish('down', true);
    } else if (key === 'Tab') finish(shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
  };
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    // Not when the window loses the focus.
    if (relatedTarget !== null || document.hasFocus()) finish('away');
  };
  const label = t('cells.cell', { column: column.name, row: name });
  const control = {
    className: isOpen ? 'input' : 'ready',
    'aria-describedby': id,
    'aria-invalid': note !== undefined,
    onKeyDown,
    onBlur,
    ...(isTyped && { onPointerDown: stay }),
  };
  return (
    <span className={isOpen ? 'cell-editor' : 'ready'}>
      {options === undefined ? (
        <Field
          ref={field}
          {...control}
          aria-label={(!isOpen && typed) || label}
          autoComplete="off"
          dir="auto"
          value={isOpen ? typed : ''}
          onCompositionStart={() => {
            composing.onCompositionStart();
            if (!isOpen) change('');
          }}
          onCompositionEnd={composing.onCompositionEnd}
          onChange={({ target }) => change(target.value)}
          {...edit?.keys}
          {...(offered.length > 0 && { list: `${id}-list` })}
        />
      ) : (
        <select
          ref={picker}
          {...control}
          className={`${control.className} select`}
          aria-label={label}
          value={typed}
          onChange={({ target }) => change(target.value)}
        >
          <Options options={options} />
        </select>
      )}
      {offered.length > 0 && <Suggestions id={`${id}-list`} values={offered} />}
      {isOpen && (
        <span id={id} role="status" className={note === undefined ? 'visually-hidden' : 'cell-note'}>
          {note}
        </span>
      )}
    </span>
  );
}
