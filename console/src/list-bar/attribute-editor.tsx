import { useState } from 'react';
import { useAttributeNames, useAttributeValues } from '../fields/used-values.ts';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
import { newAttribute, withAttribute } from '../lists/search.ts';
import type { EditorProps } from './list-filter.ts';
import { Choice, TextForm } from './value-editors.tsx';

/** The most values that are listed. */
const valuesMax = 100;
/** No attribute has an empty value. */
const none = { value: '', text: t('listBar.noneHasIt') };

interface AttributeEditorProps extends EditorProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
}

/** Chooses an attribute of records of a kind, and then one of its values, or none. */
function AttributeEditor({ kind, filter, search, choose }: AttributeEditorProps) {
  const [key, setKey] = useState(filter.id === newAttribute ? '' : filter.name);
  const names = useAttributeNames(kind);
  const values = useAttributeValues(kind, key);
  const chooseValue = (value: string): void => choose(withAttribute(search, key, value === '' ? null : value));
  const used = key === '' ? names : values;
  if (used === undefined) return <p className="hint">{t('common.loading')}</p>;
  const options = used.map(({ value, count }) => ({ value, text: `${value} (${formatCount(count)})` }));
  if (key === '') {
    if (used.length === 0) return <p className="hint">{t('listBar.noAttribute', { kind })}</p>;
    return <Choice key="keys" label={t('field.attribute')} options={options} onChange={setKey} />;
  }
  return (
    <>
      <Choice key={key} label={key} options={[none, ...options]} value={filter.value} onChange={chooseValue} />
      {options.length === valuesMax && (
        <TextForm label={t('listBar.anotherValue')} submitText={t('listBar.filter')} onSubmit={chooseValue} />
      )}
    </>
  );
}

export const attributeEditors = {
  PROGRAM: (props: EditorProps) => <AttributeEditor kind="PROGRAM" {...props} />,
  BRANCH: (props: EditorProps) => <AttributeEditor kind="BRANCH" {...props} />,
};
