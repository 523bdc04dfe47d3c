import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { TextField } from '../components/fields.tsx';

interface EditorProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function DayEditor({ label, value = '', onChange }: EditorProps) {
  return (
    <TextField
      label={label}
      type="date"
      autoFocus
      isCondition
      value={value}
      onChange={(day) => onChange(day === '' ? undefined : day)}
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
      <Button type="submit" className="button">
        Filter
      </Button>
    </form>
  );
}
