import { useMemo } from 'react';
import { ChangeEntriesDocument, type ChangeEntriesQuery } from '../history/documents.generated.ts';
import { RecordChanges } from '../history/record-changes.tsx';
import { t } from '../language/language.ts';
import { ListState } from '../lists/list-state.tsx';
import { usePageList } from '../lists/use-page-list.ts';

const entriesIn = ({ changeEntries }: ChangeEntriesQuery) => changeEntries;

/** What a change did to each record. */
export function OneChange({ changeId }: { readonly changeId: string }) {
  const list = usePageList(ChangeEntriesDocument, { changeId }, entriesIn);
  const { items, hasNext, isPrevious, loadMore } = list;
  // That of the import as a whole has no record.
  const records = useMemo(() => items.flatMap(({ change }) => (change === null ? [] : [{ change }])), [items]);
  return (
    <>
      <ListState list={list} />
      <RecordChanges label={t('changes.records')} records={records} pages={{ hasNext, isPrevious, loadMore }} />
    </>
  );
}
