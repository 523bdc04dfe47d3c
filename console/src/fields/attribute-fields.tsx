import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { TextFieldProps } from 'react-aria-components/TextField';
import { useQuery } from 'urql';
import { TextField } from '../components/fields.tsx';
import type { FieldValue, FieldValues } from '../forms/drafts.ts';
import { useRights } from '../session/viewer.tsx';
import { attributePrefix } from './attributes.ts';
import { AttributeKeysDocument } from './documents.generated.ts';

interface AttributeFieldsProps {
  readonly values: FieldValues;
  readonly change: (name: string, value: FieldValue) => void;
}

/** The attributes of a record, each with its name; names are suggested from those in use. */
export function AttributeFields({ values, change }: AttributeFieldsProps) {
  const [added, setAdded] = useState('');
  const names = Object.keys(values).filter((name) => name.startsWith(attributePrefix));
  const add = (): void => {
    const name = attributePrefix + added.trim();
    if (added.trim() !== '' && !names.includes(name)) change(name, '');
    setAdded('');
  };
  return (
    <fieldset className="stack attributes">
      <legend>Attributes</legend>
      {names.map((name) => (
        <div key={name} className="attribute">
          <TextField
            label={name.slice(attributePrefix.length)}
            autoFocus={values[name] === ''}
            value={String(values[name])}
            onChange={(value) => change(name, value)}
          />
          <Button
            className="button quiet"
            aria-label={`Remove ${name.slice(attributePrefix.length)}`}
            isDisabled={values[name] === ''}
            onPress={() => change(name, '')}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div className="attribute">
        <AttributeName
          label="Another attribute"
          others={names.map((name) => name.slice(attributePrefix.length))}
          value={added}
          onChange={setAdded}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It does not save the form.
            event.preventDefault();
            add();
          }}
        />
        <Button className="button" onPress={add}>
          <Plus aria-hidden="true" />
          Add
        </Button>
      </div>
    </fieldset>
  );
}

interface AttributeNameProps extends Pick<TextFieldProps, 'onKeyDown'> {
  readonly label?: string;
  /** Names that are not suggested. */
  readonly others?: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name of an attribute; those in use are suggested. */
export function AttributeName({ others = [], ...field }: AttributeNameProps) {
  const { canRead } = useRights();
  const [{ data }] = useQuery({ query: AttributeKeysDocument, pause: !canRead });
  const keys = data?.catalogStats.attributeKeys.map(({ key }) => key) ?? [];
  return (
    <TextField
      label="Name of the attribute"
      description="Such as level, campus or intake."
      isCondition
      suggestions={keys.filter((key) => !others.includes(key))}
      {...field}
    />
  );
}
