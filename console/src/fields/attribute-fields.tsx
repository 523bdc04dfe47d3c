import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
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
  const { canRead } = useRights();
  const [{ data }] = useQuery({ query: AttributeKeysDocument, pause: !canRead });
  const [added, setAdded] = useState('');
  const names = Object.keys(values).filter((name) => name.startsWith(attributePrefix));
  const keys = data?.catalogStats.attributeKeys.map(({ key }) => key) ?? [];
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
        <TextField
          label="Another attribute"
          description="Its name, such as level, campus or intake."
          suggestions={keys.filter((key) => !names.includes(attributePrefix + key))}
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
