import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { useFound } from './use-found.ts';

interface SimilarRecordsProps {
  readonly name: string;
  readonly code: string;
  /** The id of the record itself, which is left out. */
  readonly ownId?: number | undefined;
  /** For a branch: its program, whose branches are searched. */
  readonly programId?: number | undefined;
}

/** Shows while the user types which record already has the same name or code. Neither is unique. */
export function SimilarRecords({ name, code, ownId, programId }: SimilarRecordsProps) {
  const kind = programId === undefined ? 'PROGRAM' : 'BRANCH';
  const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.trim().toLowerCase();
  // Those with exactly this code or name come first.
  const kinds = { programs: kind === 'PROGRAM', branches: kind === 'BRANCH', programId };
  const byCode = useFound(code.trim(), kinds).found.filter((found) => found.id !== ownId && isSame(found.code, code));
  const byName = useFound(name.trim(), kinds).found.filter((found) => found.id !== ownId && isSame(found.name, name));
  const [other] = [...byCode, ...byName];
  return (
    <p role="status" className="alike hint">
      {other !== undefined &&
        t.rich('records.alike', {
          kind,
          by: byCode.length > 0 ? 'code' : 'name',
          name: other.name,
          record: (text) => (
            <RecordLink kind={kind} id={other.id}>
              {text}
            </RecordLink>
          ),
        })}
    </p>
  );
}
