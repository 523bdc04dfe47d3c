import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { TaskButton } from '../components/busy-button.tsx';
import { Select } from '../components/fields.tsx';
import { toast, toastFailure } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import { ProgramCountDocument } from '../program/documents.generated.ts';
import { describeBranchIds, describeFilter } from '../programs/filters.ts';
import { filterOf, isFiltered } from '../programs/search.ts';
import { download, type ExportKind, exportAddress, exportName } from './download.ts';

const route = getRouteApi('/transfer');
const kinds = [
  { value: 'xlsx', text: 'Excel' },
  { value: 'spreadsheet', text: 'CSV for spreadsheets' },
  { value: 'csv', text: 'CSV, every character as it is' },
  { value: 'json', text: 'JSON, for software' },
] as const satisfies readonly { value: ExportKind; text: string }[];

export function ExportSection() {
  const search = route.useSearch();
  const [kind, setKind] = useState<ExportKind>('xlsx');
  const [{ data }] = useQuery({ query: ProgramCountDocument, variables: { filter: filterOf(search) } });
  const count = data?.programsConnection.totalCount;
  const programs = count === undefined ? 'programs' : pluralize(count, 'program');
  const isPart = isFiltered(search);
  const what =
    search.branchIds === undefined
      ? `The ${programs} that your filter shows, with all branches: ${describeFilter(search)}.`
      : `The ${describeBranchIds(search.branchIds)}, with their programs.`;
  const run = async (): Promise<void> => {
    const name = exportName(kind, search);
    const problem = await download(exportAddress(kind, search), name);
    if (problem === null) toast(`${name} was downloaded.`);
    else toastFailure(problem);
  };
  return (
    <section className="card" aria-labelledby="export-title">
      <h2 id="export-title">Export</h2>
      {isPart ? (
        <p className="name-text">
          {what} <Link to="/transfer">Export all instead</Link>
        </p>
      ) : (
        <p>
          The whole catalog: {programs}, with all branches. For some of them, filter{' '}
          <Link to="/programs">the list</Link> and choose “Export these” there.
        </p>
      )}
      <div className="inline">
        <Select label="Format" value={kind} options={kinds} onChange={setKind} />
        <TaskButton className={isPart ? 'button primary' : 'button'} busyText="Exporting…" run={run}>
          Export
        </TaskButton>
      </div>
      {kind === 'spreadsheet' && (
        <p className="hint">
          Spreadsheets show every letter of it, and run none of its cells as a formula: an apostrophe stands before
          those that look like one.
        </p>
      )}
    </section>
  );
}
