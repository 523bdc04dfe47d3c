import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { readRecords } from '../bulk/read-records.ts';
import { Button } from '../components/button.tsx';
import { type Option, Select, TextField } from '../components/fields.tsx';
import { AttributeName } from '../fields/attribute-texts.tsx';
import { attributePrefix, fileColumnOf } from '../forms/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import type { Paste } from './paste.ts';
import { PasteDialog } from './paste-dialog.tsx';

const attribute = { value: 'attribute', text: t('bulk.anAttribute') };
const name = { value: 'name', text: t('field.name') };
const code = { value: 'code', text: t('field.code') };
const fields: Readonly<Record<RecordKind, readonly [Option<string>, ...Option<string>[]]>> = {
  PROGRAM: [name, { value: 'duration', text: t('field.duration') }, code, attribute],
  BRANCH: [name, code, { value: 'description', text: t('field.description') }, attribute],
};

interface ReplaceDialogProps {
  readonly kind: RecordKind;
  readonly ids: readonly number[];
  readonly changed: () => void;
  readonly close: () => void;
}

/** Replaces a part of a text field of many records; shows the old values beside the new ones first. */
export function ReplaceDialog({ kind, ids, changed, close }: ReplaceDialogProps) {
  const client = useClient();
  const [field, setField] = useState(fields[kind][0].value);
  const [key, setKey] = useState('');
  const [found, setFound] = useState('');
  const [replacement, setReplacement] = useState('');
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [paste, setPaste] = useState<Paste | null>(null);
  if (paste !== null) return <PasteDialog kind={kind} paste={paste} changed={changed} close={close} />;
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (found === '' || (field === attribute.value && key.trim() === '')) {
      setProblem(t('cells.sayWhat'));
      return;
    }
    setIsReading(true);
    const records = await readRecords(client, kind, ids);
    setIsReading(false);
    const column = columnOf(kind, field, key.trim());
    const valueIn = (values: FieldValues): string => String(values[column.field] ?? '');
    const fill = (values: FieldValues): readonly string[] => [valueIn(values).replaceAll(found, replacement)];
    const rows = (records ?? [])
      .filter(({ values }) => valueIn(values).includes(found))
      .map(({ values, record, ...row }) => ({ row, record, values: fill(values) }));
    if (rows.length > 0) setPaste({ rows, columns: [column], left: { rows: 0, columns: 0 }, fixed: [], fill });
    else setProblem(records === null ? t('common.unreadable') : t('cells.noneHas', { text: found }));
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setProblem(undefined);
  };
  return (
    <Overlay title={t('cells.replaceIn', { kind, count: ids.length })} close={close}>
      <form className="form" aria-label={t('action.replace')} noValidate onSubmit={(event) => void check(event)}>
        <Select label={t('bulk.field')} value={field} options={fields[kind]} onChange={change(setField)} />
        {field === attribute.value && <AttributeName value={key} onChange={change(setKey)} />}
        <TextField
          label={t('cells.find')}
          description={t('cells.exactlySo')}
          isRequired
          autoFocus
          value={found}
          onChange={change(setFound)}
          problem={problem}
        />
        <TextField label={t('cells.replaceWith')} isCondition value={replacement} onChange={setReplacement} />
        <div className="actions">
          <Button type="submit" look="primary" isBusy={isReading}>
            {t(isReading ? 'common.checking' : 'common.check')}
          </Button>
          <Button onClick={close}>{t('common.cancel')}</Button>
        </div>
      </form>
    </Overlay>
  );
}

/** The column whose cells are replaced, and its field in a form. */
function columnOf(kind: RecordKind, field: string, key: string) {
  const isAttribute = field === attribute.value;
  const name = isAttribute ? key : (fields[kind].find(({ value }) => value === field)?.text ?? field);
  const own = isAttribute ? attributePrefix + key : field;
  return { name, field: own, fileColumn: fileColumnOf(kind, own) };
}
