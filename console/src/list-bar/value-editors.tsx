import { useState } from 'react';
import { TextField } from '../components/fields.tsx';

interface EditorProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** The browser's own picker. While a year is typed, its digits come in from the right: the list waits for the fourth. */
export function DayEditor({ label, value = '', onChange }: EditorProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextField
      label={label}
      input={{ type: 'date' }}
      autoFocus
      isCondition
      value={typed}
      onChange={(day) => {
        setTyped(day);
        if (!day.startsWith('0')) onChange(day === '' ? undefined : day);
      }}
    />
  );
}

export function TextEditor({ label, value = '', onChange }: EditorProps) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim() === '' ? undefined : typed.trim());
      }}
    >
      <TextField label={label} isCondition autoFocus value={typed} onChange={setTyped} />
      <button type="submit" className="button">
        Filter
      </button>
    </form>
  );
}
