import { formatCount } from '../format/text.ts';
import { Time } from '../format/time.tsx';
import { Marked } from '../lists/matches.tsx';
import { RecordLink } from '../records/record-link.tsx';
import type { Column } from '../table/columns.ts';
import type { ProgramsQuery } from './documents.generated.ts';

export type ListedProgram = ProgramsQuery['programsConnection']['nodes'][number];

const matchesShown = 3;

/** The columns that the list may have. */
export const programColumns = (search: string | undefined): readonly Column<ListedProgram>[] => [
  {
    id: 'name',
    name: 'Name',
    width: 'minmax(0, 4fr)',
    orders: { ascending: 'NAME_ASC', descending: 'NAME_DESC' },
    whole: ({ name }) => name,
    cell: ({ id, name, matchedBranches = [] }) => (
      <>
        <RecordLink kind="PROGRAM" id={id}>
          <Marked text={name} search={search} />
        </RecordLink>
        {matchedBranches.length > 0 && (
          <span className="hint matched">
            {' '}
            {matchedBranches.length === 1 ? 'Branch: ' : 'Branches: '}
            <Marked
              text={matchedBranches
                .slice(0, matchesShown)
                .map((branch) => branch.name)
                .join(', ')}
              search={search}
            />
            {matchedBranches.length > matchesShown && ' and more'}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'code',
    name: 'Code',
    width: 'minmax(0, 1.2fr)',
    look: 'quiet',
    whole: ({ code }) => code,
    cell: ({ code }) => code !== null && <Marked text={code} search={search} />,
  },
  {
    id: 'duration',
    name: 'Duration',
    width: 'minmax(0, 1.2fr)',
    isNarrow: true,
    whole: ({ duration }) => duration,
    cell: ({ duration }) => duration,
  },
  {
    id: 'branches',
    name: 'Branches',
    width: '4.5rem',
    look: 'number',
    cell: ({ branchesConnection }) => formatCount(branchesConnection.totalCount),
  },
  {
    id: 'changed',
    name: 'Changed',
    width: '9.5rem',
    look: 'quiet',
    isNarrow: true,
    orders: { ascending: 'UPDATED_ASC', descending: 'UPDATED_DESC' },
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  {
    id: 'created',
    name: 'Created',
    width: '9.5rem',
    look: 'quiet',
    isExtra: true,
    orders: { ascending: 'CREATED_ASC', descending: 'CREATED_DESC' },
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { id: 'number', name: 'Number', width: '5rem', look: 'number', isExtra: true, cell: ({ id }) => id },
];

/** Everything of a program that a search looks at. */
export const searchedText = ({ name, code, matchedBranches = [] }: ListedProgram): string =>
  [name, code, ...matchedBranches.flatMap((branch) => [branch.name, branch.code])].join(' ');
