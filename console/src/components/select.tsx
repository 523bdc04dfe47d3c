import { useId } from 'react';

interface Option<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly autoFocus?: boolean;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly problem?: string | undefined;
}

/** The browser's own select: phones show it in their way, and nothing is loaded for it. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  autoFocus = false,
  options,
  value,
  onChange,
  problem,
}: SelectProps<Value>) {
  const id = useId();
  const problemId = `${id}-problem`;
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select
        id={id}
        // biome-ignore lint/a11y/noAutofocus: a dialog begins at its first field.
        autoFocus={autoFocus}
        className="input select"
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': problemId })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {problem !== undefined && (
        <span id={problemId} className="problem">
          {problem}
        </span>
      )}
    </div>
  );
}
