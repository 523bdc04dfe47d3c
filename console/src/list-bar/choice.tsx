interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value?: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of several. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="options" aria-label={label}>
      {options.map((option, index) => (
        <button
          type="button"
          key={option.value}
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
