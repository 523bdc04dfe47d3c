import { type FormEvent, useRef, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { type ReadRecord, readRecords } from '../bulk/read-records.ts';
import { Button } from '../components/button.tsx';
import { type Option, TextField } from '../components/fields.tsx';
import { type Definition, useDefinitions } from '../fields/definitions.ts';
import { FieldChoice } from '../fields/field-choice.tsx';
import { attributePrefix, fileColumnOf } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { programTexts } from '../program/program-values.ts';
import { sayWhy } from '../session/session.ts';
import { type Paste, replaceIn } from './paste.ts';
import { PasteDialog } from './paste-dialog.tsx';

const name = { value: 'name', text: t('field.name') };
const fields: Readonly<Record<RecordKind, readonly [Option<string>, ...Option<string>[]]>> = {
  PROGRAM: programTexts,
  BRANCH: [name, { value: 'code', text: t('field.code') }, { value: 'description', text: t('field.description') }],
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
  const [field, setField] = useState<string>(fields[kind][0].value);
  const [found, setFound] = useState('');
  const [replacement, setReplacement] = useState('');
  const [isReading, setIsReading] = useState(false);
  /** How often the user has changed something: what was read for less is not shown. */
  const changes = useRef(0);
  const [problem, setProblem] = useState<string>();
  const [checked, setChecked] = useState<{ readonly paste: Paste; readonly records: readonly ReadRecord[] }>();
  const definitions = useDefinitions(kind);
  if (checked !== undefined) return <PasteDialog kind={kind} {...checked} changed={changed} close={close} />;
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (found === '' || field.trim() === attributePrefix) {
      setProblem(t('cells.sayWhat'));
      return;
    }
    setIsReading(true);
    const asked = changes.current;
    const records = await readRecords(client, kind, ids);
    setIsReading(false);
    if (changes.current !== asked) return;
    const column = columnOf(kind, field.trim(), definitions);
    const replace = { field: column.field, found, replacement };
    const rows = (records ?? []).flatMap((record) => {
      const { isFound, replaced } = replaceIn(record, replace);
      return isFound ? [{ row: { id: record.id, name: record.name }, values: [replaced] }] : [];
    });
    const paste = { rows, columns: [column], left: { rows: [], columns: 0 }, fixed: [], replace };
    if (records !== null && rows.length > 0) setChecked({ paste, records });
    else setProblem(records === null ? sayWhy(t('common.unreadable')) : t('cells.noneHas', { text: found }));
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setProblem(undefined);
    changes.current += 1;
  };
  return (
    <Overlay title={t('cells.replaceIn', { kind, count: ids.length })} close={close}>
      <form className="form" aria-label={t('action.replace')} noValidate onSubmit={(event) => void check(event)}>
        <FieldChoice kind={kind} own={fields[kind]} field={field} choose={change(setField)} />
        <TextField
          label={t('cells.find')}
          description={t('cells.exactlySo')}
          isRequired
          autoFocus
          value={found}
          onChange={change(setFound)}
          problem={problem}
        />
        <TextField label={t('cells.replaceWith')} isCondition value={replacement} onChange={change(setReplacement)} />
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
function columnOf(kind: RecordKind, field: string, definitions: readonly Definition[]) {
  const column = { field, fileColumn: fileColumnOf(kind, field) };
  const definition = definitions.find(({ key }) => attributePrefix + key === field);
  const own = fields[kind].find(({ value }) => value === field);
  return { ...column, name: own?.text ?? definition?.label ?? field.replace(attributePrefix, '') };
}
