import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Menu, MenuItem } from 'react-aria-components/Menu';
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
  readonly onChoose: (id: string) => void;
  /** What stands there when there is nothing to choose. */
  readonly nothing: string;
}

/** A field, and below it what matches: typing, arrow keys and Enter choose one. */
export function FindList({ label, text, onTextChange, choices, onChoose, nothing }: FindListProps) {
  return (
    <div className="find-list">
      <Autocomplete inputValue={text} onInputChange={onTextChange}>
        <SearchField className="field" autoFocus>
          <Label className="visually-hidden">{label}</Label>
          <Input className="input" placeholder={label} />
        </SearchField>
        <Menu
          className="options"
          aria-label="Results"
          items={choices}
          onAction={(id) => onChoose(String(id))}
          renderEmptyState={() => <p className="hint none">{nothing}</p>}
        >
          {({ id, name, about }) => (
            <MenuItem id={id} className="option" textValue={name}>
              <span className="name-text">{name}</span>
              <span className="hint name-text">{about}</span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </div>
  );
}
