import type { ComponentProps, ReactNode } from 'react';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Rows } from '../table/rows.tsx';

interface ListProps {
  readonly title: string;
  readonly total?: number;
  readonly isOpen?: boolean;
}

interface ReportTableProps extends ListProps, Pick<ComponentProps<typeof Rows>, 'heads' | 'rows'> {
  /** What stands before the table. */
  readonly note?: ReactNode;
}

/** `New records: 1,200 (the first 1,000 are shown)`. */
export const titleWithCount = (title: string, shown: number, count: number): string =>
  shown < count ? t('report.titleFirst', { title, count, shown }) : t('report.titleCount', { title, count });

/** A list of a report, folded below its title and total; nothing for an empty one. */
export function ReportList({ title, shown, total = shown, isOpen = false, children }: ReportListProps) {
  if (shown === 0) return null;
  return (
    <details open={isOpen} className="rows-found">
      <summary>{titleWithCount(title, shown, total)}</summary>
      {children}
    </details>
  );
}

interface ReportListProps extends ListProps {
  readonly shown: number;
  readonly children: ReactNode;
}

export const ReportTable = ({ note, heads, rows, ...list }: ReportTableProps) => (
  <ReportList {...list} shown={rows.length}>
    {note}
    <Rows label={list.title} heads={heads} rows={rows} />
  </ReportList>
);

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
