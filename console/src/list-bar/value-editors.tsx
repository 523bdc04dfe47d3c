import { useState } from 'react';
import { type Option, TextField } from '../components/fields.tsx';
import type { EditorProps } from './list-filter.ts';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value?: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of several. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="options" aria-label={label}>
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          className="option"
          aria-pressed={option.value === value}
          // biome-ignore lint/a11y/noAutofocus: it is in a popup.
          autoFocus={index === 0}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}

export function ChoiceEditor({ filter: { name, value, put, useOptions }, choose }: EditorProps) {
  const options = useOptions(value);
  if (options === undefined) return <p className="hint">Loading…</p>;
  return <Choice label={name} options={options} value={value} onChange={(next) => choose(put(next))} />;
}

/** The browser's own picker. While a year is typed, its digits come in from the right: the list waits for the fourth. */
export function DayEditor({ filter: { name, value = '', put }, change }: EditorProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextField
      label={name}
      input={{ type: 'date' }}
      autoFocus
      isCondition
      value={typed}
      onChange={(day) => {
        setTyped(day);
        if (!day.startsWith('0')) change(put(day));
      }}
    />
  );
}

interface TextFormProps {
  readonly label: string;
  readonly submitText: string;
  readonly value?: string | undefined;
  readonly onSubmit: (value: string) => void;
}

/** A text that is taken once it is submitted. */
export function TextForm({ label, submitText, value = '', onSubmit }: TextFormProps) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(typed.trim());
      }}
    >
      <TextField label={label} isCondition autoFocus value={typed} onChange={setTyped} />
      <button type="submit" className="button">
        {submitText}
      </button>
    </form>
  );
}

export const TextEditor = ({ filter: { name, value, put }, choose }: EditorProps) => (
  <TextForm label={`${name}, exactly`} submitText="Filter" value={value} onSubmit={(text) => choose(put(text))} />
);
