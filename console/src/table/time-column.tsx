import { formatTime } from '../format/text.ts';
import { Time } from '../format/time.tsx';
import type { Column } from './columns.ts';

/** A column with a time of each row; `none` stands for a missing one. */
export const timeColumn = <Row,>(
  id: string,
  name: string,
  timeOf: (row: Row) => string | null,
  none = '',
): Column<Row> => ({
  id,
  name,
  width: '7rem',
  look: 'quiet',
  isLatestFirst: true,
  text: (row) => {
    const at = timeOf(row);
    return at === null ? none : formatTime(at);
  },
  cell: (row) => {
    const at = timeOf(row);
    return at === null ? none : <Time at={at} />;
  },
});
