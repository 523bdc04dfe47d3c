import { TextField } from '../components/fields.tsx';

interface DayEditorProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

export function DayEditor({ label, value = '', onChange }: DayEditorProps) {
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
