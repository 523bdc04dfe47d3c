import { useState } from 'react';
import { formatCount } from '../format/text.ts';
import { Choice } from '../list-bar/choice.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { TextEditor } from '../list-bar/value-editors.tsx';
import { attributeKeyOf, type ListSearch, withAttribute } from '../lists/search.ts';
import { useAttributeNames, useAttributeValues } from './used-values.ts';

interface AttributeEditorProps extends FilterEditorProps<ListSearch> {
  readonly kind: 'PROGRAM' | 'BRANCH';
}

/** The most values that are listed. */
const valuesMax = 100;
/** No attribute has an empty value. */
const none = { value: '', text: 'None: records without it' };

/** Chooses an attribute, and then one of its values, or none. */
export function AttributeEditor({ kind, id, search, choose }: AttributeEditorProps) {
  const [key, setKey] = useState(attributeKeyOf(id) ?? '');
  const names = useAttributeNames(kind);
  const values = useAttributeValues(kind, key);
  const chooseValue = (value: string | undefined): void =>
    choose(value === undefined ? {} : withAttribute(search, key, value === '' ? null : value));
  const used = key === '' ? names : values;
  if (used === undefined) return <p className="hint">Loading…</p>;
  const options = used.map(({ value, count }) => ({ value, text: `${value} (${formatCount(count)})` }));
  if (key === '') {
    if (used.length === 0) return <p className="hint">No {kind.toLowerCase()} has an attribute yet.</p>;
    return <Choice key="keys" label="Attribute" options={options} onChange={setKey} />;
  }
  const value = search.attributes?.[key];
  return (
    <>
      <Choice
        key={key}
        label={key}
        options={[none, ...options]}
        value={value === null ? none.value : value}
        onChange={chooseValue}
      />
      {options.length === valuesMax && (
        <TextEditor label="Another value, exactly" value={undefined} onChange={chooseValue} />
      )}
    </>
  );
}
