import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Button } from '../components/button.tsx';
import { attributePrefix } from '../forms/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import { type FormState, fieldOf } from '../forms/form.tsx';
import { t } from '../language/language.ts';
import { AttributeName, AttributeValue } from './attribute-texts.tsx';
import { textOfValue, useDefinitions } from './definitions.ts';

/**
 * The attributes of a record: those that are defined, in their order; below them the others, each with its name. Names and
 * values of those are suggested from what is in use.
 */
export function AttributeFields({ kind, ...form }: FormState<FieldValues> & { readonly kind: RecordKind }) {
  const { values, change } = form;
  const fieldFor = fieldOf(form);
  const [added, setAdded] = useState('');
  const names = Object.keys(values).flatMap((field) =>
    field.startsWith(attributePrefix) ? [field.slice(attributePrefix.length)] : [],
  );
  const definitions = useDefinitions(kind);
  const others = names.filter((name) => definitions.every(({ key }) => key !== name));
  const taken = [...names, ...definitions.map(({ key }) => key)];
  const set = (name: string, value: string): void => change(attributePrefix + name, value);
  const add = (): void => {
    const name = added.trim();
    if (name !== '' && !taken.includes(name)) set(name, '');
    setAdded('');
  };
  /** It does not save the form. */
  const addOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <fieldset className="stack attributes">
      <legend>{t('field.attributes')}</legend>
      {definitions.map((definition) => {
        const { key, label } = definition;
        const field = attributePrefix + key;
        return (
          <AttributeValue
            key={key}
            kind={kind}
            name={key}
            definition={definition}
            label={label}
            {...fieldFor(field)}
            note={form.noteOf?.(field, (value) => textOfValue(definition)(String(value)))}
          />
        );
      })}
      {others.map((name) => {
        const value = String(values[attributePrefix + name]);
        return (
          <div key={name} className="attribute">
            <AttributeValue
              label={name}
              autoFocus={value === ''}
              kind={kind}
              name={name}
              definition={undefined}
              {...fieldFor(attributePrefix + name)}
            />
            <Button
              look="quiet"
              aria-label={t('fields.remove', { name })}
              disabled={value === ''}
              onClick={() => set(name, '')}
            >
              <X aria-hidden="true" />
            </Button>
          </div>
        );
      })}
      <div className="attribute">
        <AttributeName
          label={t('fields.another')}
          others={taken}
          value={added}
          onChange={setAdded}
          input={{ onKeyDown: addOnEnter }}
        />
        <Button onClick={add}>
          <Plus aria-hidden="true" />
          {t('fields.add')}
        </Button>
      </div>
    </fieldset>
  );
}
