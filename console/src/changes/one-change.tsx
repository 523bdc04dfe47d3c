import { useMemo } from 'react';
import { auditColumns } from '../audit/columns.tsx';
import { nameIn } from '../audit/entry.ts';
import { ChangeEntriesDocument, type ChangeEntriesQuery } from '../history/documents.generated.ts';
import { useNames } from '../history/use-names.ts';
import { t } from '../language/language.ts';
import { ListState } from '../lists/list-state.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { Table } from '../table/table.tsx';

const entriesIn = ({ changeEntries }: ChangeEntriesQuery) => changeEntries;

/** What a change did to each record. */
export function OneChange({ changeId }: { readonly changeId: string }) {
  const list = usePageList(ChangeEntriesDocument, { changeId }, entriesIn);
  const nameOf = useNames(list.items);
  const columns = useMemo(() => auditColumns(nameOf), [nameOf]);
  const items = useMemo(
    () => list.items.map((entry) => ({ ...entry, id: Number(entry.id), keyId: null, name: nameIn(entry) })),
    [list.items],
  );
  return (
    <>
      <ListState list={list} />
      {items.length > 0 && <Table label={t('changes.records')} list={{ ...list, items }} columns={columns} />}
    </>
  );
}
