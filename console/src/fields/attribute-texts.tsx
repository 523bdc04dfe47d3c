import { useState } from 'react';
import type { TextFieldProps } from 'react-aria-components/TextField';
import { TextField } from '../components/fields.tsx';
import { useAttributeNames, useAttributeValues } from './used-values.ts';

interface AttributeNameProps extends Pick<TextFieldProps, 'onKeyDown'> {
  readonly label?: string;
  /** Names that are not suggested. */
  readonly others?: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name of an attribute; those in use are suggested. */
export function AttributeName({ others = [], ...field }: AttributeNameProps) {
  const names = useAttributeNames()?.map(({ value }) => value) ?? [];
  return (
    <TextField
      label="Name of the attribute"
      description="Such as level, campus or intake."
      isCondition
      suggestions={names.filter((name) => !others.includes(name))}
      {...field}
    />
  );
}

interface AttributeValueProps extends Pick<TextFieldProps, 'autoFocus'> {
  readonly label: string;
  readonly description?: string;
  readonly problem?: readonly string[] | undefined;
  readonly kind: 'PROGRAM' | 'BRANCH';
  /** The name of the attribute. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The value of an attribute; while it has the focus, those that other records have are suggested. */
export function AttributeValue({ kind, name, ...field }: AttributeValueProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const values = useAttributeValues(kind, hasFocus ? name : '')?.map(({ value }) => value) ?? [];
  return <TextField suggestions={values} onFocusChange={setHasFocus} {...field} />;
}
