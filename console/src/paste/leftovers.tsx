import { useNavigate } from '@tanstack/react-router';
import type { RecordKind } from '../api/event-stream.ts';
import { Button } from '../components/button.tsx';
import { formatList, nameSome } from '../format/text.ts';
import { t } from '../language/language.ts';
import type { Block } from './block.ts';
import type { Paste, Unmatched } from './paste.ts';
import { offerRows } from './rest-file.ts';

interface LeftoversProps
  extends Pick<Paste, 'left' | 'fixed' | 'rest' | 'isInSelection' | 'titles' | 'unread' | 'unmatched'> {
  readonly kind: RecordKind;
  /** Whether nothing else is to be done first: to import new records leaves what is pasted. */
  readonly isFirst: boolean;
}

/** What has no place in the list; rows below its last may be new records. */
export function Leftovers({ kind, isFirst, isInSelection = false, left, fixed, rest, ...of }: LeftoversProps) {
  const { titles, unread, unmatched } = of;
  const count = left.rows.length;
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
    unread !== undefined && t('cells.titlesUnread', { titles: nameSome(unread) }),
    unmatched === undefined &&
      count > 0 &&
      t(isInSelection ? 'cells.notSelected' : 'cells.rowsLeft', { count, rows: nameSome(left.rows) }),
    unmatched !== undefined && describeUnmatched(kind, unmatched, titles),
    count > 0 && kind === 'PROGRAM' && !isInSelection && rest === undefined && t('cells.restNeeds'),
    rest !== undefined && !isFirst && t('cells.restAfter'),
    left.columns > 0 && t('cells.columnsLeft', { count: left.columns }),
    fixed.length > 0 && t('cells.fixed', { count: fixed.length, columns: formatList(fixed) }),
  ].filter((part) => part !== false && part !== '');
  return (
    parts.length > 0 && (
      <div className="notice warn">
        <p>{parts.join(' ')}</p>
        {rest !== undefined && isFirst && (
          <Button onClick={() => importRest(rest)}>{t('cells.importRest', { kind, count })}</Button>
        )}
      </div>
    )
  );
}

/** Which rows are not matched with a record, and why; with `titles`, those below a first row that names columns. */
export function describeUnmatched(kind: RecordKind, unmatched: Unmatched, titles: Paste['titles']): string {
  const { by, unknown, unclear, notSelected } = unmatched;
  const before = titles === undefined ? 0 : 1;
  const placed = unclear.map(({ row, title }) => t('cells.rowAt', { row: row + before, title }));
  const parts = [
    unknown.length > 0 && t('cells.unknownRows', { by, kind, names: nameSome(unknown) }),
    unclear.length > 0 && t('cells.unclearRows', { by, names: nameSome(placed) }),
    notSelected > 0 && t('cells.otherSelected', { count: notSelected }),
  ];
  return parts.filter((part) => part !== false).join(' ');
}
