import { useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../language/language.ts';

const debounceMs = 180;

interface SearchTextProps {
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field, debounced; Enter searches at once. */
export function SearchText({ placeholder, value, onChange }: SearchTextProps) {
  const beginsHere = useLocation({ select: ({ state }) => state.beginsInSearch === true });
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  // The URL was changed by the back button or a link.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  const send = (): void => {
    const text = typed.trim();
    if (text === sent.current) return;
    sent.current = text;
    onChange(text);
  };
  const sendSoon = useEffectEvent(send);
  useEffect(() => {
    const timer = setTimeout(() => sendSoon(), typed === '' ? 0 : debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      className="input"
      autoComplete="off"
      dir="auto"
      aria-label={t('lists.search')}
      // biome-ignore lint/a11y/noAutofocus: a shortcut leads here.
      autoFocus={beginsHere}
      placeholder={placeholder}
      maxLength={255}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && send()}
      // Later, it would overtake the link that the user follows next.
      onBlur={send}
    />
  );
}
