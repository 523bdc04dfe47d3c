import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from 'react';
import { t } from '../language/language.ts';

/** Text below a field, by its label. */
export type Note = (label: string) => ReactNode;

interface LabelledProps {
  readonly label: string;
  /** Name in a form. */
  readonly field?: string;
  readonly isLabelHidden?: boolean;
  readonly autoFocus?: boolean;
  readonly description?: string | undefined;
  /** An unusual property of the value, which may stay. */
  readonly doubt?: string | undefined;
  /** The messages of the service. */
  readonly problem?: string | readonly string[] | undefined;
  readonly note?: Note | undefined;
}

/** Properties of a browser's control that its field sets. */
type Control = Pick<ComponentProps<'input'>, 'id' | 'autoFocus' | 'aria-invalid' | 'aria-describedby'> &
  Readonly<Record<`data-${string}`, unknown>>;

interface FieldProps extends LabelledProps {
  readonly isOptional?: boolean;
  readonly children: (control: Control) => ReactNode;
}

/** A control with its label and its notes. */
function Field({
  label,
  isLabelHidden,
  autoFocus = false,
  description,
  doubt,
  problem = [],
  field,
  note,
  isOptional,
  children,
}: FieldProps) {
  const id = useId();
  const [descriptionId, problemId] = [`${id}-description`, `${id}-problem`];
  const problems = [problem].flat();
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
        {isOptional && <span className="optional"> {t('components.optional')}</span>}
      </label>
      {children({
        id,
        autoFocus,
        'data-autofocus': autoFocus || undefined,
        'data-field': field,
        'aria-invalid': problems.length > 0,
        'aria-describedby': `${descriptionId} ${problemId}`,
      })}
      <span id={descriptionId} className={doubt === undefined ? 'hint' : 'hint doubt'}>
        {doubt ?? description}
      </span>
      <span id={problemId} className="problem">
        {problems.join(' ')}
      </span>
      {note?.(label)}
    </div>
  );
}

export const Suggestions = ({ id, values }: { readonly id: string; readonly values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

interface TextFieldProps extends LabelledProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean;
  /** A filter, which is not labelled as optional. */
  readonly isCondition?: boolean;
  /** The most characters that it may have: said before they are reached. */
  readonly max?: number | undefined;
  /** Number of lines of a longer text. */
  readonly rows?: number | undefined;
  /** Shown while one types; other texts are as good. */
  readonly suggestions?: readonly string[];
  /** Further properties of a field of one line. */
  readonly input?: ComponentProps<'input'>;
}

/** From this part of the limit on, the length of a text is said. */
const nearLimit = 0.8;

function lengthNote(value: string, max = Number.POSITIVE_INFINITY): string | undefined {
  if (value.length < nearLimit * max) return undefined;
  return t('components.lengthOf', { count: [...value.trim()].length, max });
}

/** Suggestions that stay while an input method composes, since Chrome ends a composition when they change. */
export function useSteady(suggestions: readonly string[]) {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const composing = { onCompositionStart: () => setHeld(suggestions), onCompositionEnd: () => setHeld(null) };
  return { offered: held ?? suggestions, composing };
}

/** A labelled text field; a text area with `rows`. */
export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    isRequired = false,
    isCondition = false,
    max,
    rows,
    suggestions = [],
    input,
    ...field
  } = props;
  const listId = useId();
  const { offered, composing } = useSteady(suggestions);
  return (
    <Field {...field} doubt={lengthNote(value, max) ?? field.doubt} isOptional={!isRequired && !isCondition}>
      {(control) => {
        const text = {
          ...control,
          className: 'input',
          value,
          'aria-required': isRequired,
          autoComplete: 'off',
          dir: 'auto',
          onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value),
        };
        if (rows !== undefined) return <textarea {...text} rows={rows} />;
        return (
          <>
            <input {...text} {...composing} {...input} {...(offered.length > 0 && { list: listId })} />
            <Suggestions id={listId} values={offered} />
          </>
        );
      }}
    </Field>
  );
}

export interface Option<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

export const Options = ({ options }: { readonly options: readonly Option<string>[] }) =>
  options.map(({ value, text }) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));

interface SelectProps<Value extends string> extends LabelledProps {
  readonly isOptional?: boolean;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of several; phones show it in their way. */
export function Select<Value extends string>({ options, value, onChange, ...field }: SelectProps<Value>) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="input select"
          value={value}
          onChange={({ target }) => {
            const chosen = options.find((option) => option.value === target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  readonly isSelected: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
}

export function Checkbox({ isSelected, isDisabled = false, onChange, children }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={isSelected}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface TickProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly isPartly?: boolean;
  /** `isRange`, with the shift key: from the last one to this. */
  readonly onPress: (isRange: boolean) => void;
}

/** A check box without a text, for the rows of lists. */
export function Tick({ label, isSelected, isPartly = false, onPress }: TickProps) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly && !isSelected;
        }}
        readOnly
        // Prevents the selection of text that the shift key would begin.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={({ shiftKey }) => onPress(shiftKey)}
      />
    </label>
  );
}
