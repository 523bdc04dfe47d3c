import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Checkbox } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { toast, toastFailure } from '../components/toast-queue.ts';
import { describeFilter, isFiltered } from '../programs/search.ts';
import { dayOf } from '../search-parameters.ts';
import { download, type ExportFormat, exportAddress } from './download.ts';

const route = getRouteApi('/transfer');
const formats = [
  { value: 'csv', text: 'CSV, for spreadsheets' },
  { value: 'xlsx', text: 'Excel' },
  { value: 'json', text: 'JSON, for software' },
] as const satisfies readonly { value: ExportFormat; text: string }[];

export function ExportSection() {
  const search = route.useSearch();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [escapes, setEscapes] = useState(true);
  const [isLoading, setIsLoading] = useState(false);
  const address = exportAddress(format, search, format === 'csv' && escapes);
  const run = async (): Promise<void> => {
    setIsLoading(true);
    const name = `catalog-${dayOf(new Date())}.${format}`;
    const problem = await download(address, name);
    setIsLoading(false);
    if (problem === null) toast(`${name} was downloaded.`);
    else toastFailure(problem);
  };
  return (
    <section className="card" aria-labelledby="export-title">
      <h2 id="export-title">Export</h2>
      <p>
        {isFiltered(search) ? (
          <>
            The programs that your filter shows, with their branches:{' '}
            <strong className="name-text">{describeFilter(search)}</strong>.{' '}
            <Link to="/transfer">Export all instead</Link>
          </>
        ) : (
          <>
            All programs with their branches. For some of them, filter <Link to="/programs">the list</Link> and choose
            “Export these” there.
          </>
        )}
      </p>
      <div className="inline">
        <Select label="Format" value={format} options={formats} onChange={setFormat} />
        <Button
          className={isFiltered(search) ? 'button primary' : 'button'}
          isPending={isLoading}
          onPress={() => void run()}
        >
          {isLoading ? 'Exporting…' : 'Export'}
        </Button>
      </div>
      {format === 'csv' && (
        <Checkbox isSelected={escapes} onChange={setEscapes}>
          Make formulas harmless for spreadsheets
        </Checkbox>
      )}
    </section>
  );
}
