import { usePageList } from '../api/use-page-list.ts';
import { Timeline } from '../components/timeline.tsx';
import { BranchHistoryDocument, type BranchHistoryQuery } from './documents.generated.ts';

const connectionIn = ({ branch }: BranchHistoryQuery) => branch?.history;

/** The history of a branch, for those who may edit it. */
export function BranchHistory({ id, version }: { readonly id: number; readonly version: number }) {
  const list = usePageList(BranchHistoryDocument, { id, first: 10 }, connectionIn);
  return <Timeline list={list} version={version} />;
}
