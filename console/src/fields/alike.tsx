import { useQuery } from 'urql';
import { useDebounced } from '../find/use-found.ts';
import { RecordLink } from '../records/record-link.tsx';
import { AlikeBranchesDocument, AlikeProgramsDocument } from './documents.generated.ts';

interface AlikeProps {
  readonly name: string;
  readonly code: string;
  /** The record itself, which is no other. */
  readonly ownId?: number | undefined;
  /** Of a branch: its program, in which others are looked for. */
  readonly programId?: number | undefined;
}

/** Says, while one types, which record has the same name or code already. Neither is unique. */
export function Alike({ ownId, programId, ...typed }: AlikeProps) {
  const name = useDebounced(typed.name.trim());
  const code = useDebounced(typed.code.trim());
  const kind = programId === undefined ? 'PROGRAM' : 'BRANCH';
  const variables = { codes: [code], name, byCode: code !== '', byName: name !== '' };
  const isEmpty = name === '' && code === '';
  const [programs] = useQuery({ query: AlikeProgramsDocument, variables, pause: isEmpty || kind === 'BRANCH' });
  const [branches] = useQuery({
    query: AlikeBranchesDocument,
    variables: { ...variables, programId: programId ?? 0 },
    pause: isEmpty || kind === 'PROGRAM',
  });
  const data = kind === 'PROGRAM' ? programs.data : branches.data;
  const others = [...(data?.byCode?.nodes ?? []), ...(data?.byName?.nodes ?? [])].filter(
    (other) =>
      other.id !== ownId && ((code !== '' && other.code === code) || other.name.toLowerCase() === name.toLowerCase()),
  );
  const [other] = isEmpty ? [] : others;
  return (
    <p role="status" className="alike hint">
      {other !== undefined && (
        <>
          There is another {kind.toLowerCase()} with this {code !== '' && other.code === code ? 'code' : 'name'}:{' '}
          <RecordLink kind={kind} id={other.id}>
            {other.name}
          </RecordLink>
        </>
      )}
    </p>
  );
}
