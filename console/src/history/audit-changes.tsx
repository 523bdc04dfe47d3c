import { changedFields, type NameOf } from './changed-fields.ts';

interface AuditChangesProps {
  readonly before: unknown;
  readonly after: unknown;
  readonly nameOf: NameOf;
}

/** The changed fields of an entry of the audit log. */
export function AuditChanges({ before, after, nameOf }: AuditChangesProps) {
  const fields = changedFields(before, after, nameOf);
  if (fields.length === 0) return null;
  return (
    <dl className="changes">
      {fields.map(({ name, from, to }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="name-text">
            {from !== null && <del>{from}</del>}
            {from !== null && to !== null && <span aria-hidden="true"> → </span>}
            {to !== null && <ins>{to}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const verbs: Readonly<Record<string, string>> = {
  CREATE: 'created',
  UPDATE: 'changed',
  DELETE: 'deleted',
  RESTORE: 'restored',
  REVOKE: 'revoked',
  ROTATE: 'rotated',
  IMPORT: 'imported a file into',
  UNDO: 'undid a change of',
};

/** The verb for an action of the audit log: `created`. */
export const verbFor = (action: string | null): string => verbs[action ?? ''] ?? 'changed';
