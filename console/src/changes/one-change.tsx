import { AuditTable } from '../audit/audit-table.tsx';
import { ChangeEntriesDocument, type ChangeEntriesQuery } from '../history/documents.generated.ts';
import { useNames } from '../history/use-names.ts';
import { t } from '../language/language.ts';
import { ListState } from '../lists/list-state.tsx';
import { usePageList } from '../lists/use-page-list.ts';

const entriesIn = ({ changeEntries }: ChangeEntriesQuery) => changeEntries;

/** What a change did to each record. */
export function OneChange({ changeId }: { readonly changeId: string }) {
  const list = usePageList(ChangeEntriesDocument, { changeId }, entriesIn);
  return (
    <>
      <ListState list={list} />
      <AuditTable label={t('changes.records')} list={list} names={useNames(list.items)} />
    </>
  );
}
