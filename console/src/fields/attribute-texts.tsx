import { type ComponentProps, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { TextField } from '../components/fields.tsx';
import { t } from '../language/language.ts';
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

interface AttributeValueProps extends FieldProps {
  readonly kind: RecordKind;
  readonly name: string;
}

/** The value of an attribute; while it has the focus, those that other records have are suggested. */
export function AttributeValue({ kind, name, ...field }: AttributeValueProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const values = useAttributeValues(kind, hasFocus ? name : '')?.map(({ value }) => value);
  return <TextField suggestions={values ?? []} input={{ onFocus: () => setHasFocus(true) }} {...field} />;
}
