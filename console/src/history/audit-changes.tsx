import { changedFields } from './changed-fields.ts';

interface AuditChangesProps {
  /** The record before and after, as the audit log has it. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What a change made of what, field by field. */
export function AuditChanges({ before, after }: AuditChangesProps) {
  const fields = changedFields(before, after);
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
