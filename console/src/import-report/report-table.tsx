import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';

interface RowsProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table that scrolls in its own frame, by keyboard too. */
export function Rows({ label, heads, rows }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls by keyboard, too.
    <section aria-label={label} tabIndex={0} className="scrolled report">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and do not move.
            <tr key={at}>
              {heads.map((head, column) => (
                <td key={head} className="name-text">
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ReportTableProps extends Pick<RowsProps, 'heads' | 'rows'> {
  readonly title: string;
  readonly total?: number;
  readonly isOpen?: boolean;
  /** What stands before the table. */
  readonly note?: ReactNode;
}

/** `New records: 1,200 (the first 1,000 are shown)`. */
export const titleWithCount = (title: string, shown: number, count: number): string =>
  shown < count ? t('report.titleFirst', { title, count, shown }) : t('report.titleCount', { title, count });

/** A list of a report, folded below its title and total; nothing for an empty one. */
export function ReportTable({ title, total, isOpen = false, note, heads, rows }: ReportTableProps) {
  if (rows.length === 0) return null;
  return (
    <details open={isOpen} className="rows-found">
      <summary>{titleWithCount(title, rows.length, total ?? rows.length)}</summary>
      {note}
      <Rows label={title} heads={heads} rows={rows} />
    </details>
  );
}

/** A record by its name, and the program of a branch. */
export function RecordName({ name, programName }: { readonly name: string; readonly programName: string | null }) {
  return (
    <>
      <bdi>{name}</bdi>
      {programName !== null && (
        <span className="hint"> {t.rich('report.inProgram', { program: programName, bdi })}</span>
      )}
    </>
  );
}
