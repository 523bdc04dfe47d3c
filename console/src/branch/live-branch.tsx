import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { RecordOrMissing } from '../records/record-or-missing.tsx';
import { useRights } from '../session/viewer.tsx';
import { BranchDocument, type BranchQuery } from './documents.generated.ts';

export type LoadedBranch = NonNullable<BranchQuery['branch']>;

interface LiveBranchProps {
  readonly id: number;
  readonly children: (branch: LoadedBranch, refresh: () => void, isDeleted: boolean) => ReactNode;
}

/** A branch by its id, with its program if the caller may read programs. */
export function LiveBranch({ id, children }: LiveBranchProps) {
  const { canRead } = useRights();
  const variables = { id, withProgram: canRead };
  const [{ data, error, fetching }, reload] = useQuery({ query: BranchDocument, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  const record = { record: data?.branch, error, isLoading: fetching };
  return (
    <RecordOrMissing kind="BRANCH" id={id} {...record} refresh={refresh}>
      {(branch, isDeleted) => children(branch, refresh, isDeleted)}
    </RecordOrMissing>
  );
}
