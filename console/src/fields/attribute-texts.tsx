import { type ComponentProps, useMemo, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Select, TextField } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { type Definition, inputFor, optionsOf } from './definitions.ts';
import { useAttributeNames, useAttributeValues } from './used-values.ts';

type FieldProps = Omit<ComponentProps<typeof TextField>, 'suggestions'>;

interface AttributeNameProps extends Pick<FieldProps, 'value' | 'onChange' | 'input'> {
  readonly label?: string;
  /** Names that are not suggested. */
  readonly others?: readonly string[];
}

/** The name of an attribute; those in use are suggested. */
export function AttributeName({ others = [], ...field }: AttributeNameProps) {
  const names = useAttributeNames()?.map(({ value }) => value) ?? [];
  return (
    <TextField
      label={t('fields.nameOfAttribute')}
      description={t('fields.suchAs')}
      isCondition
      suggestions={names.filter((name) => !others.includes(name))}
      {...field}
    />
  );
}

interface AttributeTextProps extends FieldProps {
  readonly kind: RecordKind;
  readonly name: string;
}

interface AttributeValueProps extends AttributeTextProps {
  readonly definition: Definition | undefined;
}

/** The value of an attribute: of a defined one, a control of its kind. */
export function AttributeValue({ definition, ...props }: AttributeValueProps) {
  if (definition === undefined || definition.kind === 'TEXT')
    return <AttributeText {...props} {...textsOf(definition)} />;
  const { kind: _kind, name: _name, ...field } = props;
  return <DefinedValue definition={definition} {...field} />;
}

const textsOf = (definition: Definition | undefined) =>
  definition && { isRequired: definition.required, ...(definition.help !== '' && { description: definition.help }) };

function DefinedValue({ definition, ...field }: FieldProps & { readonly definition: Definition }) {
  const optionsFor = useMemo(() => optionsOf(definition), [definition]);
  const options = optionsFor(field.value);
  const { isRequired, ...texts } = { isRequired: false, ...field, ...textsOf(definition) };
  if (options !== undefined) return <Select {...texts} isOptional={!isRequired} options={options} />;
  return <TextField {...texts} isRequired={isRequired} input={inputFor(definition, field.value)} />;
}

/** A text; while it has the focus, those that other records have are suggested. */
function AttributeText({ kind, name, ...field }: AttributeTextProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const values = useAttributeValues(kind, hasFocus ? name : '')?.map(({ value }) => value);
  return <TextField suggestions={values ?? []} input={{ onFocus: () => setHasFocus(true) }} {...field} />;
}
