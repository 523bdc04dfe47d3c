import { useDurations } from '../fields/used-values.ts';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { Marked } from '../lists/matches.tsx';
import { Name } from '../lists/name.tsx';
import { codeColumn, lastColumns, nameColumn, ordersBy, textColumn } from '../lists/record-columns.tsx';
import type { Column } from '../table/columns.ts';
import type { ProgramsQuery } from './documents.generated.ts';

export type ListedProgram = ProgramsQuery['programsConnection']['nodes'][number];

const matchesShown = 3;

export const programColumns = (search: string | undefined): readonly Column<ListedProgram>[] => [
  {
    ...nameColumn('PROGRAM', search, 'minmax(0, 4fr)'),
    cell: ({ id, name, matchedBranches = [] }) => (
      <>
        <RecordLink kind="PROGRAM" id={id}>
          {matchedBranches.length > 0 ? <Marked text={name} search={search} /> : <Name text={name} search={search} />}
        </RecordLink>
        {matchedBranches.length > 0 && (
          <span className="hint matched">
            {' '}
            {t.rich('program.matched', {
              count: matchedBranches.length,
              isMore: matchedBranches.length > matchesShown ? 'yes' : 'no',
              marked: () => (
                <Marked
                  text={matchedBranches
                    .slice(0, matchesShown)
                    .map((branch) => branch.name)
                    .join(', ')}
                  search={search}
                />
              ),
            })}
          </span>
        )}
      </>
    ),
  },
  codeColumn('PROGRAM', search, 'minmax(5.5rem, 1.2fr)'),
  {
    ...textColumn('PROGRAM', 'duration', 'minmax(0, 1.2fr)', {
      useSuggestions: () => useDurations()?.map(({ value }) => value) ?? [],
    }),
    isNarrow: true,
  },
  {
    id: 'branches',
    name: t('field.branches'),
    width: '6.5rem',
    look: 'number',
    ...ordersBy('BRANCHES'),
    text: ({ branchesConnection }) => formatCount(branchesConnection.totalCount),
  },
  ...lastColumns({ isNarrow: true }),
];

export const searchedText = ({ name, code, matchedBranches = [] }: ListedProgram): string =>
  [name, code, ...matchedBranches.flatMap((branch) => [branch.name, branch.code])].join(' ');
