import { useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { type Option, Select } from '../components/fields.tsx';
import { attributePrefix } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import { AttributeName } from './attribute-texts.tsx';
import { useDefinitions } from './definitions.ts';

interface FieldChoiceProps {
  readonly kind: RecordKind;
  /** The fields beside attributes. */
  readonly own: readonly Option<string>[];
  /** The field as forms call it: `duration`, `attributes.level`. */
  readonly field: string;
  readonly choose: (field: string) => void;
}

/** Chooses a field of records: one of their own, a defined attribute by its label, or any other by its name. */
export function FieldChoice({ kind, own, field, choose }: FieldChoiceProps) {
  const [isOther, setIsOther] = useState(false);
  const defined = useDefinitions(kind).map(({ key, label }) => ({ value: attributePrefix + key, text: label }));
  const other = { value: attributePrefix, text: t('fields.another') };
  return (
    <>
      <Select
        label={t('bulk.field')}
        value={isOther ? attributePrefix : field}
        options={[...own, ...defined, other]}
        onChange={(next) => {
          setIsOther(next === attributePrefix);
          choose(next);
        }}
      />
      {isOther && (
        <AttributeName
          value={field.slice(attributePrefix.length)}
          others={defined.map(({ value }) => value.slice(attributePrefix.length))}
          onChange={(key) => choose(attributePrefix + key)}
        />
      )}
    </>
  );
}
