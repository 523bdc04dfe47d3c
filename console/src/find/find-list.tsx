import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import './find.css';

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

/** A search field with a list of matches. */
export function FindList({ label, text, onTextChange, choices, isWaiting, onChoose, nothing }: FindListProps) {
  const chooseFirst = useChooseFirst({ text, choices, isWaiting, onChoose });
  return (
    <div className="find-list">
      <Autocomplete inputValue={text} onInputChange={onTextChange}>
        <SearchField className="field" autoFocus onSubmit={chooseFirst}>
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

/** Enter before there are results chooses the first result once it is there. */
function useChooseFirst({
  text,
  choices,
  isWaiting,
  onChoose,
}: Pick<FindListProps, 'text' | 'choices' | 'isWaiting' | 'onChoose'>): () => void {
  /** The text at which Enter was pressed. */
  const [submitted, setSubmitted] = useState<string | null>(null);
  const first = choices[0]?.id;
  useEffect(() => {
    if (submitted === null) return;
    const isMeant = submitted === text;
    if (isMeant && isWaiting && first === undefined) return;
    setSubmitted(null);
    if (isMeant && first !== undefined) onChoose(first);
  });
  return () => {
    if (isWaiting && first === undefined) setSubmitted(text);
  };
}
