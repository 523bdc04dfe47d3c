import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useClient, useQuery } from 'urql';
import { Checkbox, TextField } from '../components/fields.tsx';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { Select } from '../components/select.tsx';
import { toastFailure } from '../components/toast-queue.ts';
import { Ago } from '../format/time.tsx';
import type { NameOf } from '../history/changed-fields.ts';
import { ChangedValues } from '../history/changed-values.tsx';
import { UserNamesDocument } from '../history/documents.generated.ts';
import { verbFor } from '../history/feed.ts';
import { useNames } from '../history/use-names.ts';
import { countChosen, MoreFilters } from '../lists/more-filters.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/no-screen.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { save } from '../transfer/download.ts';
import { AuditLogDocument, type AuditLogQuery } from './documents.generated.ts';
import { exportAudit, nameIn } from './export-audit.ts';
import { type AuditSearch, actions, actorOptions, auditFilterOf, subjects } from './search.ts';

const route = getRouteApi('/audit');
const connectionIn = ({ auditLog }: AuditLogQuery) => auditLog;

export function AuditScreen() {
  const { canAdminister } = useRights();
  return canAdminister ? <AuditLog /> : <NotOffered what="read the audit log" right="ADMIN" />;
}

function AuditLog() {
  const search = route.useSearch();
  const list = usePageList(AuditLogDocument, { filter: auditFilterOf(search), first: 50 }, connectionIn);
  useRestoredScroll(list);
  const nameOf = useNames(list.items);
  const client = useClient();
  const [isExporting, setIsExporting] = useState(false);
  const download = async (): Promise<void> => {
    setIsExporting(true);
    const file = await exportAudit(client, auditFilterOf(search), nameOf);
    setIsExporting(false);
    if (file === null) toastFailure('The export broke off: the service cannot be reached. Try again.');
    else save(file, 'audit-log.csv');
  };
  const changed = useListChanges(list.pageCount <= 1, list.reload, () => true);
  return (
    <>
      <ScreenHead
        at="/audit"
        actions={
          <Button className="button" isPending={isExporting} onPress={() => void download()}>
            <Download aria-hidden="true" />
            {isExporting ? 'Exporting…' : 'Export as CSV'}
          </Button>
        }
      />
      <AuditFilters search={search} />
      {changed.isBehind && (
        <Button className="button" onPress={changed.show}>
          Show newer entries
        </Button>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={list.reload} />}
      {list.items.length > 0 ? (
        <ol className="feed" aria-label="Entries" aria-busy={list.isPrevious}>
          {list.items.map((entry) => (
            <Entry key={entry.id} entry={entry} nameOf={nameOf} />
          ))}
        </ol>
      ) : (
        !list.isLoading &&
        list.error === undefined && (
          <EmptyState title="No entry matches">
            <p>Choose fewer conditions.</p>
          </EmptyState>
        )
      )}
      {list.hasNext && (
        <Button className="button" isPending={list.isLoading} onPress={list.loadMore}>
          Show earlier entries
        </Button>
      )}
    </>
  );
}

function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const { actor, subject, action, since, until, utc, change: changeId } = search;
  const [{ data }] = useQuery({ query: UserNamesDocument });
  const users = data?.users.map(({ name }) => name) ?? [];
  const navigate = useNavigate({ from: '/audit' });
  const change = (changes: AuditSearch): void => {
    void navigate({ search: (previous) => ({ ...previous, ...changes }) });
  };
  return (
    <search className="filters">
      <MoreFilters text="Filters" chosen={countChosen(actor, subject, action, since, until, utc, changeId)}>
        <Select
          label="By user"
          value={actor ?? ''}
          options={actorOptions(users, actor)}
          onChange={(actor) => change({ actor: actor === '' ? undefined : actor })}
        />
        <Select
          label="What"
          value={subject ?? 'ANY'}
          options={subjects}
          onChange={(subject) => change({ subject: subject === 'ANY' ? undefined : subject })}
        />
        <Select
          label="Was"
          value={action ?? 'ANY'}
          options={actions}
          onChange={(action) => change({ action: action === 'ANY' ? undefined : action })}
        />
        <TextField
          label="From"
          type="date"
          isCondition
          value={since ?? ''}
          onChange={(since) => change({ since: since === '' ? undefined : since })}
        />
        <TextField
          label="To"
          type="date"
          isCondition
          value={until ?? ''}
          onChange={(until) => change({ until: until === '' ? undefined : until })}
        />
        <Checkbox isSelected={utc === true} onChange={(utc) => change({ utc: utc ? true : undefined })}>
          Days in UTC
        </Checkbox>
        {changeId !== undefined && (
          <Button className="button" onPress={() => change({ change: undefined })}>
            One change
            <X aria-hidden="true" />
            <span className="visually-hidden">Show all changes</span>
          </Button>
        )}
      </MoreFilters>
    </search>
  );
}

type AuditEntry = AuditLogQuery['auditLog']['nodes'][number];

function Entry({ entry, nameOf }: { readonly entry: AuditEntry; readonly nameOf: NameOf }) {
  const { action, actor, at, keyId, before, after } = entry;
  return (
    <li>
      <p className="name-text">
        <strong>{actor}</strong> {verbFor(action)} <Subject entry={entry} />{' '}
        <span className="hint">
          <Ago at={at} />
          {keyId !== null && ` · with key ${keyId}`}
        </span>
      </p>
      <ChangedValues before={before} after={after} nameOf={nameOf} />
    </li>
  );
}

function Subject({ entry }: { readonly entry: AuditEntry }) {
  const { subject, subjectId } = entry;
  const what = subject === null ? 'record' : (subjectNames[subject] ?? subject.toLowerCase());
  const name = nameIn(entry) || String(subjectId ?? '');
  return (
    <>
      {what}{' '}
      {subject === 'PROGRAM' && subjectId !== null ? (
        <Link to="/programs/$programId" params={{ programId: subjectId }} className="name-text">
          {name}
        </Link>
      ) : subject === 'BRANCH' && subjectId !== null ? (
        <Link to="/branches/$branchId" params={{ branchId: subjectId }} className="name-text">
          {name}
        </Link>
      ) : (
        <span className="name-text">{name}</span>
      )}
    </>
  );
}

const subjectNames: Readonly<Partial<Record<string, string>>> = {
  API_KEY: 'key',
  AUDIT_LOG: 'the audit log',
  CATALOG: 'the catalog',
};
