import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';

const debounceMs = 180;

interface SearchTextProps {
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field, debounced. */
export function SearchText({ placeholder, value, onChange }: SearchTextProps) {
  const beginsHere = useLocation({ select: ({ state }) => state.beginsInSearch === true });
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The URL was changed by the back button or a link.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (text: string): void => {
    clearTimeout(timer.current);
    if (text === sent.current) return;
    sent.current = text;
    onChange(text);
  };
  return (
    <SearchField
      className="field search"
      autoFocus={beginsHere}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(text.trim()), debounceMs);
      }}
      onSubmit={(text) => send(text.trim())}
      onClear={() => send('')}
    >
      <Label className="visually-hidden">Search</Label>
      <Input className="input" placeholder={placeholder} maxLength={255} />
      <Button className="button quiet clear">
        <span aria-hidden="true">×</span>
      </Button>
    </SearchField>
  );
}
