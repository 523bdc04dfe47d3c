import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { csvFile, save } from '../api/download.ts';
import { Button, TaskButton } from '../components/button.tsx';
import { EmptyState } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { AuditLogDocument, type AuditLogQuery } from '../history/documents.generated.ts';
import { useNames } from '../history/use-names.ts';
import { t } from '../language/language.ts';
import { ListBar } from '../list-bar/list-bar.tsx';
import { ListState } from '../lists/list-state.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { toastFailure } from '../overlays/toast-queue.ts';
import { AuditTable } from './audit-table.tsx';
import { csvOf, exportMax } from './entry.ts';
import { auditFilters } from './filters.ts';
import { auditFilterOf, parseAuditSearch } from './search.ts';

const route = getRouteApi('/audit');
const connectionIn = ({ auditLog }: AuditLogQuery) => auditLog;

export function AuditScreen() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/audit' });
  const list = usePageList(AuditLogDocument, { filter: auditFilterOf(search), first: 100 }, connectionIn);
  useRestoredScroll(list);
  const changed = useListChanges(list.pageCount <= 1, list.reload, () => true);
  const names = useNames(list.items);
  const exportAll = async (): Promise<void> => {
    const entries = await list.loadAll(exportMax);
    if (entries === null) toastFailure(t('common.exportBrokeOff'));
    else save(csvFile(csvOf(entries, names)), 'audit-log.csv');
  };
  return (
    <>
      <PageTitle text={t('shell.audit')} />
      <ListBar
        search={search}
        filters={auditFilters(search)}
        change={(changes) => void navigate({ search: (previous) => parseAuditSearch({ ...previous, ...changes }) })}
        clear={() => void navigate({ search: {} })}
      >
        {changed.isBehind && <Button onClick={changed.show}>{t('audit.newer')}</Button>}
        <TaskButton look="quiet" busyText={t('common.exporting')} run={exportAll}>
          <Download aria-hidden="true" />
          {t('audit.exportCsv')}
        </TaskButton>
      </ListBar>
      <ListState list={list}>
        <EmptyState
          title={t('audit.noMatch')}
          about={t('audit.dropFilter')}
          ways={[{ to: '/audit', text: t('audit.dropFilters') }]}
        />
      </ListState>
      <AuditTable label={t('audit.entries')} list={list} names={names} />
    </>
  );
}
