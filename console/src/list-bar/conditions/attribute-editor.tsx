import { useState } from 'react';
import type { RecordKind } from '../../api/event-stream.ts';
import { useDefinitions } from '../../fields/definitions.ts';
import { countedOption, useAttributeNames } from '../../fields/used-values.ts';
import { t } from '../../language/language.ts';
import type { EditorProps } from '../../lists/list-filter.ts';
import { attributeFilter } from './compared-fields.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { Choice } from './value-editors.tsx';

/** Chooses an attribute of records of a kind, and then how it is compared. */
function AttributeEditor({ kind, ...props }: EditorProps & { readonly kind: RecordKind }) {
  const [key, setKey] = useState('');
  const names = useAttributeNames(kind);
  const definitions = useDefinitions(kind);
  const definition = definitions.find((one) => one.key === key);
  if (key !== '') return <ConditionEditor {...props} filter={attributeFilter(kind, props.search, key, definition)} />;
  if (names === undefined) return <p className="hint">{t('common.loading')}</p>;
  const defined = definitions.map((one) => ({ value: one.key, text: one.label }));
  const others = names.filter(({ value }) => definitions.every((one) => one.key !== value)).map(countedOption);
  if (defined.length + others.length === 0) return <p className="hint">{t('listBar.noAttribute', { kind })}</p>;
  return <Choice label={t('field.attribute')} options={[...defined, ...others]} onChange={setKey} />;
}

export const attributeEditors = {
  PROGRAM: (props: EditorProps) => <AttributeEditor kind="PROGRAM" {...props} />,
  BRANCH: (props: EditorProps) => <AttributeEditor kind="BRANCH" {...props} />,
};
