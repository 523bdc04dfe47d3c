import { useNavigate } from '@tanstack/react-router';
import type { RecordKind } from '../api/event-stream.ts';
import { Button } from '../components/button.tsx';
import { formatList, nameSome } from '../format/text.ts';
import { t } from '../language/language.ts';
import type { Block } from './block.ts';
import type { Paste, Unmatched } from './paste.ts';
import { offerRows } from './rest-file.ts';

interface LeftoversProps extends Pick<Paste, 'left' | 'fixed' | 'rest' | 'isInSelection' | 'titles' | 'unmatched'> {
  readonly kind: RecordKind;
  /** Whether nothing else is to be done first: to import new records leaves what is pasted. */
  readonly isFirst: boolean;
}

/** What has no place in the list; rows below its last may be new records. */
export function Leftovers({ kind, isFirst, isInSelection = false, left, fixed, rest, ...of }: LeftoversProps) {
  const { titles, unmatched } = of;
  const navigate = useNavigate();
  const importRest = (block: Block): void => {
    offerRows(block);
    void navigate({ to: '/transfer' });
  };
  const parts = [
    titles !== undefined && t('cells.titles', { columns: titles.used.join(', ') }),
    titles !== undefined &&
      titles.unknown.length > 0 &&
      t('cells.titlesUnknown', { count: titles.unknown.length, columns: titles.unknown.join(', ') }),
    unmatched === undefined &&
      left.rows > 0 &&
      t(isInSelection ? 'cells.notSelected' : 'cells.rowsLeft', { count: left.rows }),
    unmatched !== undefined && describeUnmatched(kind, unmatched),
    left.rows > 0 && kind === 'PROGRAM' && !isInSelection && rest === undefined && t('cells.restNeeds'),
    rest !== undefined && !isFirst && t('cells.restAfter'),
    left.columns > 0 && t('cells.columnsLeft', { count: left.columns }),
    fixed.length > 0 && t('cells.fixed', { count: fixed.length, columns: formatList(fixed) }),
  ].filter((part) => part !== false && part !== '');
  return (
    parts.length > 0 && (
      <div className="notice warn">
        <p>{parts.join(' ')}</p>
        {rest !== undefined && isFirst && (
          <Button onClick={() => importRest(rest)}>{t('cells.importRest', { kind, count: left.rows })}</Button>
        )}
      </div>
    )
  );
}

/** Which rows are not matched with a record, and why. */
export function describeUnmatched(kind: RecordKind, { by, unknown, unclear, notSelected }: Unmatched): string {
  const parts = [
    unknown.length > 0 && t('cells.unknownRows', { by, kind, names: nameSome(unknown) }),
    unclear.length > 0 && t('cells.unclearRows', { by, names: nameSome(unclear) }),
    notSelected > 0 && t('cells.otherSelected', { count: notSelected }),
  ];
  return parts.filter((part) => part !== false).join(' ');
}
