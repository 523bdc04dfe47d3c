import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { Notice } from '../components/notices.tsx';
import { nameSome } from '../format/text.ts';
import { t } from '../language/language.ts';
import { type ReadRecord, readByCodes } from './read-records.ts';

/** A record that is to be changed. */
interface Change {
  readonly recordId: number;
  /** The program of a branch. */
  readonly programId: number | null;
  readonly fields: readonly { readonly field: string; readonly after?: unknown }[];
}

/** The code that a change sets; empty if none. */
const codeIn = ({ fields }: Change): string => String(fields.find(({ field }) => field === 'code')?.after ?? '');

/** Of records with the codes that a change sets, those that it does not give another code; branches of its programs. */
export const othersWithCodes = (changes: readonly Change[], read: readonly ReadRecord[]): readonly ReadRecord[] =>
  read.filter(
    ({ id, values, record }) =>
      changes.every((change) => change.recordId !== id || codeIn(change) === '') &&
      changes.some(
        (change) =>
          codeIn(change) !== '' &&
          codeIn(change) === values['code'] &&
          (change.programId === null || change.programId === record['program_id']),
      ),
  );

interface SameCodesProps {
  readonly kind: RecordKind;
  /** Unchanged from one rendering to the next. */
  readonly changes: readonly Change[];
}

/** Says which codes of a change other records have already, before it is made. */
export function SameCodes({ kind, changes }: SameCodesProps) {
  const client = useClient();
  const [others, setOthers] = useState<readonly ReadRecord[]>([]);
  useEffect(() => {
    let isShown = true;
    const codes = [...new Set(changes.map(codeIn))].filter((code) => code !== '');
    void readByCodes(client, kind, codes).then((read) => isShown && setOthers(othersWithCodes(changes, read ?? [])));
    return () => {
      isShown = false;
    };
  }, [client, kind, changes]);
  const records = nameSome(others.map(({ name, values }) => `${values['code']} (${name})`));
  return others.length > 0 && <Notice>{t('bulk.sameCodes', { kind, records })}</Notice>;
}
