import { Plus, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/fields.tsx';
import { withMoved } from '../components/order.ts';
import { t } from '../language/language.ts';
import { readClipboard } from '../paste/block.ts';
import { type ChoiceRow, withNewRow, withPasted } from './choice-rows.ts';
import { Grip, Reorder } from './reorder.tsx';

interface ChoicesEditorProps {
  readonly rows: readonly ChoiceRow[];
  readonly change: (rows: readonly ChoiceRow[]) => void;
}

/** More rows are shown on demand: a list may have thousands. */
const shownMax = 200;

/** The choices of an attribute, a row each. Two columns that are pasted are values and labels. */
export function ChoicesEditor({ rows, change }: ChoicesEditorProps) {
  const [isWhole, setIsWhole] = useState(false);
  const listId = useId();
  const all = rows.length === 0 ? withNewRow(rows) : rows;
  const shown = isWhole ? all : all.slice(0, shownMax);
  const put = (id: number, changed: Partial<ChoiceRow>): void =>
    change(all.map((row) => (row.id === id ? { ...row, ...changed } : row)));
  const paste = (event: ClipboardEvent, at: number): void => {
    const block = readClipboard(event.clipboardData);
    // A single cell is pasted normally.
    if (block.length < 2 && (block[0]?.length ?? 0) < 2) return;
    event.preventDefault();
    change(withPasted(all, block, at));
  };
  /** Enter goes on to the next choice, as in a spreadsheet; one is added after the last. */
  const goOn = (event: KeyboardEvent<HTMLElement>, at: number): void => {
    const { key, target, currentTarget } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const place = Array.from(currentTarget.querySelectorAll('input')).indexOf(target);
    const isLast = at === all.length - 1;
    if (isLast && all[at]?.value === '') return;
    flushSync(() => {
      if (isLast) change(withNewRow(all));
      if (at === shown.length - 1) setIsWhole(true);
    });
    const inputs = currentTarget.nextElementSibling?.querySelectorAll('input') ?? [];
    (inputs[place] ?? inputs[0])?.focus();
  };
  /** What is typed next is the new choice. */
  const add = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    flushSync(() => {
      change(withNewRow(all));
      setIsWhole(isWhole || all.length >= shownMax);
    });
    const added = Array.from(currentTarget.closest('fieldset')?.querySelectorAll('.choice') ?? []).at(-1);
    added?.querySelector('input')?.focus();
  };
  return (
    <fieldset className="stack choices">
      <legend>{t('definitions.choices')}</legend>
      <p className="hint">{t('definitions.pasteHint')}</p>
      <Reorder move={(from, to) => change(withMoved(all, from, to))}>
        {shown.map((row, index) => {
          const number = String(index + 1);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: its fields have the keys.
            <div
              key={row.id}
              className="choice"
              data-index={index}
              onPaste={(event) => paste(event, index)}
              onKeyDown={(event) => goOn(event, index)}
            >
              <Grip />
              {(['value', 'label'] as const).map((part) => (
                <input
                  key={part}
                  className="input"
                  aria-label={t(`definitions.${part}Of`, { number })}
                  placeholder={t(`definitions.${part}`)}
                  autoComplete="off"
                  dir="auto"
                  value={row[part]}
                  onChange={({ target }) => put(row.id, { [part]: target.value })}
                />
              ))}
              <Checkbox isSelected={row.retired} onChange={(retired) => put(row.id, { retired })}>
                {t('definitions.retired')}
              </Checkbox>
              <Button
                look="quiet"
                aria-label={t('fields.remove', { name: row.label || row.value || number })}
                onClick={() => change(all.filter(({ id }) => id !== row.id))}
              >
                <X aria-hidden="true" />
              </Button>
              {row.retired && (
                <input
                  className="input successor"
                  aria-label={t('definitions.successorOf', { name: row.label || row.value })}
                  placeholder={t('definitions.successor')}
                  autoComplete="off"
                  list={listId}
                  value={row.replacedBy}
                  onChange={({ target }) => put(row.id, { replacedBy: target.value })}
                />
              )}
            </div>
          );
        })}
      </Reorder>
      <datalist id={listId}>
        {all.flatMap(({ id, value, label, retired }) =>
          retired || value === '' ? [] : [<option key={id} value={value} label={label} />],
        )}
      </datalist>
      <div className="actions">
        <Button onClick={add}>
          <Plus aria-hidden="true" />
          {t('definitions.addChoice')}
        </Button>
        {shown.length < all.length && (
          <Button look="quiet" onClick={() => setIsWhole(true)}>
            {t('definitions.showAll', { count: all.length })}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
