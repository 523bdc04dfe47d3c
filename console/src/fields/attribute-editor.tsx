import { useState } from 'react';
import { useQuery } from 'urql';
import { formatCount } from '../format/text.ts';
import { Choice } from '../list-bar/choice.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { TextEditor } from '../list-bar/value-editors.tsx';
import { attributeKeyOf, type ListSearch, withAttribute } from '../lists/search.ts';
import { AttributeKeysDocument, AttributeValuesDocument } from './documents.generated.ts';

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
  const ofPrograms = kind === 'PROGRAM';
  const [keys] = useQuery({ query: AttributeKeysDocument, pause: key !== '' });
  const [found] = useQuery({ query: AttributeValuesDocument, variables: { key, ofPrograms }, pause: key === '' });
  const chooseValue = (value: string | undefined): void =>
    choose(value === undefined ? {} : withAttribute(search, key, value === '' ? null : value));
  const { data } = key === '' ? keys : found;
  if (data === undefined) return <p className="hint">Loading…</p>;
  if (key === '') {
    const used = (keys.data?.catalogStats.attributeKeys ?? []).flatMap(({ key: name, programs, branches }) => {
      const count = ofPrograms ? programs : branches;
      return count === 0 ? [] : [{ value: name, text: `${name} (${formatCount(count)})` }];
    });
    if (used.length === 0) return <p className="hint">No {kind.toLowerCase()} has an attribute yet.</p>;
    return <Choice key="keys" label="Attribute" options={used} onChange={setKey} />;
  }
  const { programsByAttribute, branchesByAttribute } = found.data?.catalogStats ?? {};
  const values = (programsByAttribute ?? branchesByAttribute ?? []).map(({ value, count }) => ({
    value,
    text: `${value} (${formatCount(count)})`,
  }));
  const value = search.attributes?.[key];
  return (
    <>
      <Choice
        key={key}
        label={key}
        options={[none, ...values]}
        value={value === null ? none.value : value}
        onChange={chooseValue}
      />
      {values.length === valuesMax && (
        <TextEditor label="Another value, exactly" value={undefined} onChange={chooseValue} />
      )}
    </>
  );
}
