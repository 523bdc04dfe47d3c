import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { t } from '../language/language.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly about: string;
}

interface FindListProps {
  readonly label: string;
  readonly text: string;
  readonly onTextChange: (text: string) => void;
  readonly choices: readonly Choice[];
  /** Whether more choices are loading. */
  readonly isWaiting: boolean;
  /** Whether more match than those. */
  readonly isMore: boolean;
  readonly onChoose: (id: string) => void;
  /** Shown when there are no choices. */
  readonly nothing: string;
}

const showOption = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

/** A search field with a list of matches. The arrow keys mark one; Enter chooses it, or the first. */
export function FindList({ label, text, onTextChange, choices, isWaiting, isMore, onChoose, nothing }: FindListProps) {
  const listId = useId();
  const [marked, setMarked] = useState<string | null>(null);
  /** The text at which Enter was pressed before there were results: the first is chosen once it is there. */
  const [submitted, setSubmitted] = useState<string | null>(null);
  const at = choices.findIndex(({ id }) => id === marked);
  const chosen = choices[at] ?? choices[0];
  useEffect(() => {
    if (submitted === null) return;
    const isMeant = submitted === text;
    if (isMeant && isWaiting && chosen === undefined) return;
    setSubmitted(null);
    if (isMeant && chosen !== undefined) onChoose(chosen.id);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setMarked(choices[Math.min(Math.max(at + step, 0), choices.length - 1)]?.id ?? null);
    else if (event.key !== 'Enter') return;
    else if (chosen !== undefined) onChoose(chosen.id);
    else if (isWaiting) setSubmitted(text);
    event.preventDefault();
  };
  return (
    <div className="stack find-list">
      {/* biome-ignore lint/a11y/useSemanticElements: in a field of the type `search`, Escape would empty it and not close the dialog. */}
      <input
        type="text"
        role="searchbox"
        autoComplete="off"
        dir="auto"
        className="input"
        aria-label={label}
        aria-controls={listId}
        aria-activedescendant={at < 0 ? undefined : `${listId}-${at}`}
        placeholder={label}
        value={text}
        onChange={({ target }) => onTextChange(target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" className="options" aria-label={t('find.results')} tabIndex={-1}>
        {choices.map(({ id, name, about }, index) => (
          <button
            key={id}
            id={`${listId}-${index}`}
            type="button"
            role="option"
            aria-selected={index === at}
            className="option"
            tabIndex={-1}
            ref={index === at ? showOption : null}
            onClick={() => onChoose(id)}
          >
            <span className="name-text" translate="no">
              {name}
            </span>
            <span className="hint name-text">{about}</span>
          </button>
        ))}
      </div>
      {(choices.length === 0 || isMore) && (
        <p role="status" className="hint">
          {choices.length === 0 ? nothing : t('find.more')}
        </p>
      )}
    </div>
  );
}
