import { useEffect } from 'react';
import { useQuery } from 'urql';
import * as z from 'zod/mini';
import { UndoButton } from '../bulk/undo-button.tsx';
import { ErrorNotice } from '../components/notices.tsx';
import { formatCount } from '../format/text.ts';
import { Time } from '../format/time.tsx';
import { CatalogHistoryDocument, type CatalogHistoryQuery } from './documents.generated.ts';

const shownMax = 10;
/** Undone changes are among them. */
const readMax = 50;

const counts = z.object({ created: z.int(), changed: z.int() });
const imported = z.object({ file: z.nullable(z.string()), programs: counts, branches: counts });
const undone = z.object({ changeId: z.string() });

type Entry = CatalogHistoryQuery['catalogHistory']['nodes'][number];

/** The last imports of everybody, to undo them later, too; another `version` reads them again. */
export function LastImports({ version }: { readonly version: number }) {
  const [{ data, error }, read] = useQuery({
    query: CatalogHistoryDocument,
    variables: { first: readMax },
    requestPolicy: 'cache-and-network',
  });
  useEffect(() => {
    if (version > 0) read({ requestPolicy: 'network-only' });
  }, [version, read]);
  const entries = data?.catalogHistory.nodes ?? [];
  const undoing = new Map(
    entries.flatMap((entry) => {
      const { success, data: summary } = undone.safeParse(entry.after);
      return entry.action === 'UNDO' && success ? [[summary.changeId, entry] as const] : [];
    }),
  );
  const imports = entries.filter(({ action }) => action === 'IMPORT').slice(0, shownMax);
  if (error !== undefined) return <ErrorNotice error={error} retry={() => read({ requestPolicy: 'network-only' })} />;
  if (imports.length === 0) return null;
  return (
    <section className="card" aria-labelledby="imports-title">
      <h2 id="imports-title">Last imports</h2>
      <ul className="imports">
        {imports.map((entry) => (
          <LastImport key={entry.id} entry={entry} undoing={undoing.get(entry.changeId)} />
        ))}
      </ul>
    </section>
  );
}

function LastImport({ entry, undoing }: { readonly entry: Entry; readonly undoing: Entry | undefined }) {
  const { success, data } = imported.safeParse(entry.after);
  const fileName = (success ? data.file : null) ?? 'a file';
  const created = success ? data.programs.created + data.branches.created : 0;
  const changed = success ? data.programs.changed + data.branches.changed : 0;
  const isEmpty = created + changed === 0;
  return (
    <li>
      <div>
        <p className="name-text">
          <strong>{fileName}</strong>
        </p>
        <p className="hint">
          <Time at={entry.at} /> by {entry.actor} ·{' '}
          {isEmpty ? 'nothing was changed' : `${formatCount(created)} created, ${formatCount(changed)} changed`}
          {undoing !== undefined && (
            <>
              {' · undone '}
              <Time at={undoing.at} /> by {undoing.actor}
            </>
          )}
        </p>
      </div>
      {!isEmpty && undoing === undefined && <UndoImport changeId={entry.changeId} fileName={fileName} />}
    </li>
  );
}

interface UndoImportProps {
  readonly changeId: string;
  readonly fileName: string;
  readonly onUndone?: () => void;
}

export const UndoImport = ({ fileName, ...props }: UndoImportProps) => (
  <UndoButton
    {...props}
    label={`Undo the import of ${fileName}`}
    text="Undo this import"
    question="What it created is deleted, and what it changed is as before. Records that somebody has changed since stay as they are, and are listed."
  />
);
