import { type ReactNode, useId } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
  readonly label: string;
  readonly description?: ReactNode;
  /** The messages of the service. */
  readonly problem?: string | readonly string[] | undefined;
  readonly rows?: number;
  readonly placeholder?: string;
  /** Shown while one types; other texts are as good. */
  readonly suggestions?: readonly string[];
  /** A filter, which is not labelled as optional. */
  readonly isCondition?: boolean;
}

/** A labelled text field; a text area with `rows`. */
export function TextField(given: FieldProps) {
  const { label, description, problem, rows, placeholder, suggestions, isCondition, ...props } = given;
  const listId = useId();
  const problems = problem === undefined ? [] : [problem].flat();
  const isOptional = props.isRequired !== true && isCondition !== true;
  return (
    <AriaTextField {...props} className="field" isInvalid={problems.length > 0} validationBehavior="aria">
      <Label>
        {label}
        {isOptional && <span className="optional"> optional</span>}
      </Label>
      {rows === undefined ? (
        <Input
          className="input"
          {...(placeholder !== undefined && { placeholder })}
          {...(suggestions !== undefined && { list: listId })}
        />
      ) : (
        <TextArea className="input" rows={rows} />
      )}
      {description !== undefined && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <FieldError className="problem">
        {problems.map((text) => text.replace(/^[a-z]\w*(?= must )/i, label)).join(' ')}
      </FieldError>
    </AriaTextField>
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
