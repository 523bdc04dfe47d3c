import type { Change } from '../database/audit.ts';
import type { Branch } from '../generated/prisma/client.ts';
import { shownOfBranch } from './branch-changes.ts';

/** What the audit log shows of branches that go or come back with their program, in the order of their ids. */
export function changesOf(branches: readonly Branch[], action: 'delete' | 'restore'): Change[] {
  return [...branches]
    .sort((one, other) => one.id - other.id)
    .map((branch) => ({
      action,
      subject: 'Branch',
      subjectId: branch.id,
      [action === 'delete' ? 'before' : 'after']: shownOfBranch(branch),
    }));
}
