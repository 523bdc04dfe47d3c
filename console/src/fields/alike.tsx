import { useQuery } from 'urql';
import { FindBranchesDocument, FindProgramsDocument } from '../find/documents.generated.ts';
import { useDebounced } from '../find/use-found.ts';
import { RecordLink } from '../records/record-link.tsx';

interface AlikeProps {
  readonly name: string;
  readonly code: string;
  /** The record itself, which is no other. */
  readonly ownId?: number | undefined;
  /** Of a branch: its program, in which others are looked for. */
  readonly programId?: number | undefined;
}

/** Says, while one types, which record has the same name or code already. Neither is unique. */
export function Alike({ name, code, ownId, programId }: AlikeProps) {
  const kind = programId === undefined ? 'PROGRAM' : 'BRANCH';
  const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.trim().toLowerCase();
  const byCode = useSearch(code, programId).filter((found) => found.id !== ownId && isSame(found.code, code));
  const byName = useSearch(name, programId).filter((found) => found.id !== ownId && isSame(found.name, name));
  const [other] = [...byCode, ...byName];
  return (
    <p role="status" className="alike hint">
      {other !== undefined && (
        <>
          There is another {kind.toLowerCase()} with this {byCode.length > 0 ? 'code' : 'name'}:{' '}
          <RecordLink kind={kind} id={other.id}>
            {other.name}
          </RecordLink>
        </>
      )}
    </p>
  );
}

/** The first records that a search finds: those with exactly this code or name come first. */
function useSearch(text: string, programId: number | undefined) {
  const search = useDebounced(text.trim());
  const isOfPrograms = programId === undefined;
  const pause = search === '';
  const [programs] = useQuery({ query: FindProgramsDocument, variables: { search }, pause: pause || !isOfPrograms });
  const [branches] = useQuery({
    query: FindBranchesDocument,
    variables: { search, withProgram: false, programId: programId ?? 0 },
    pause: pause || isOfPrograms,
  });
  if (pause) return [];
  return (isOfPrograms ? programs.data?.programsConnection.nodes : branches.data?.branchesConnection.nodes) ?? [];
}
