import { usePageList } from '../api/use-page-list.ts';
import { Timeline } from '../components/timeline.tsx';
import { ProgramHistoryDocument, type ProgramHistoryQuery } from './documents.generated.ts';

const connectionIn = ({ program }: ProgramHistoryQuery) => program?.history;

/** The history of a program, for those who may edit it. */
export function ProgramHistory({ id, version }: { readonly id: number; readonly version: number }) {
  const list = usePageList(ProgramHistoryDocument, { id, first: 10 }, connectionIn);
  return <Timeline list={list} version={version} />;
}
