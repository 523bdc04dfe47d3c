import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value?: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of several. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <ListBox
      autoFocus="first"
      className="options"
      aria-label={label}
      selectionMode="single"
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys === 'all' || keys.has(option.value));
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <ListBoxItem key={option.value} id={option.value} className="option">
          {option.text}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}
