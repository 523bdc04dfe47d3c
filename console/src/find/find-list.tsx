import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';

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
  readonly onChoose: (id: string) => void;
  /** Shown when there are no choices. */
  readonly nothing: string;
}

/** A search field with a list of matches. Enter chooses the marked one, or the first. */
export function FindList({ label, text, onTextChange, choices, isWaiting, onChoose, nothing }: FindListProps) {
  const list = useRef<HTMLDivElement>(null);
  /** The text at which Enter was pressed before there were results: the first is chosen once it is there. */
  const [submitted, setSubmitted] = useState<string | null>(null);
  const first = choices[0]?.id;
  useEffect(() => {
    if (submitted === null) return;
    const isMeant = submitted === text;
    if (isMeant && isWaiting && first === undefined) return;
    setSubmitted(null);
    if (isMeant && first !== undefined) onChoose(first);
  });
  // The autocomplete would lose an Enter after the marked option has left the list, and another was marked in its place.
  const chooseMarked = (event: KeyboardEvent): void => {
    const isInField = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isInField) return;
    event.preventDefault();
    event.stopPropagation();
    const marked = list.current?.querySelector<HTMLElement>('[data-focused]')?.dataset['key'];
    const chosen = choices.find(({ id }) => id === marked)?.id ?? first;
    if (chosen !== undefined) onChoose(chosen);
    else if (isWaiting) setSubmitted(text);
  };
  return (
    <div className="stack find-list" ref={list} onKeyDownCapture={chooseMarked}>
      <Autocomplete inputValue={text} onInputChange={onTextChange}>
        <SearchField className="field" autoFocus>
          <Label className="visually-hidden">{label}</Label>
          <Input className="input" placeholder={label} />
        </SearchField>
        <ListBox
          className="options"
          aria-label="Results"
          items={choices}
          onAction={(id) => onChoose(String(id))}
          renderEmptyState={() => <p className="hint none">{nothing}</p>}
        >
          {({ id, name, about }) => (
            <ListBoxItem id={id} className="option" textValue={name}>
              <span className="name-text">{name}</span>
              <span className="hint name-text">{about}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
    </div>
  );
}
