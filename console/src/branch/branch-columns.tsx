import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { Name } from '../lists/name.tsx';
import { codeColumn, lastColumns, nameColumn, ordersBy, textColumn } from '../lists/record-columns.tsx';
import type { Column } from '../table/columns.ts';
import type { ListedBranch } from './branch-values.ts';

export function branchColumns(search: string | undefined, hasProgram: boolean): readonly Column<ListedBranch>[] {
  return [
    nameColumn('BRANCH', search, 'minmax(0, 3fr)'),
    ...(hasProgram ? [programColumn] : []),
    codeColumn('BRANCH', search, 'minmax(0, 1fr)'),
    {
      id: 'years',
      name: t('field.years'),
      width: '3rem',
      look: 'number',
      isNarrow: hasProgram,
      edit: { value: ({ years }) => String(years.length), fileColumn: 'branch_years' },
      ...ordersBy('YEARS'),
      cell: ({ years }) => years.length,
    },
    {
      id: 'year codes',
      name: t('field.yearCodes'),
      width: 'minmax(0, 1.4fr)',
      look: 'mono',
      isNarrow: !hasProgram,
      ...ordersBy('YEAR_CODES'),
      text: ({ years }) => years.map(({ code }) => code).join(' '),
    },
    { ...textColumn('BRANCH', 'description', 'minmax(0, 2fr)', { isLong: true }), look: 'quiet' },
    ...lastColumns({ isExtra: true }),
  ];
}

const programColumn: Column<ListedBranch> = {
  id: 'program',
  name: t('field.program'),
  width: 'minmax(0, 2.5fr)',
  isNarrow: true,
  ...ordersBy('PROGRAM'),
  text: ({ program }) => program?.name,
  cell: ({ program }) =>
    program !== undefined && (
      <RecordLink kind="PROGRAM" id={program.id}>
        <Name text={program.name} search={undefined} />
      </RecordLink>
    ),
};
