import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { downloadAndReport } from '../api/download.ts';
import { ErrorNotice } from '../api/error-notice.tsx';
import type { RecordKind } from '../api/event-stream.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { formatCount, formatTime } from '../format/text.ts';
import { hasDraft } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { PrintTitle } from '../records/print-title.tsx';
import { useRights } from '../session/viewer.tsx';
import type { Column } from '../table/columns.ts';
import { RowActions } from '../table/row-actions.tsx';
import { Table } from '../table/table.tsx';
import { formats } from '../transfer/export.ts';
import { type EditionFieldsFragment, EditionsDocument } from './documents.generated.ts';
import { editionDraft, NewEdition } from './new-edition.tsx';
import { sinceEdition } from './points.ts';

export function EditionsScreen() {
  const [{ data, error }, reload] = useQuery({ query: EditionsDocument });
  const [isFreezing, setIsFreezing] = useState(() => hasDraft(editionDraft));
  const { canWrite } = useRights();
  const editions = data?.editions ?? [];
  return (
    <>
      <div className="page-head">
        <PageTitle text={t('editions.title')} />
        <div className="actions">
          <Link to="/editions/compare" className="button">
            {t('editions.compareTwo')}
          </Link>
          {canWrite && (
            <Button look="primary" onClick={() => setIsFreezing(true)}>
              {t('editions.freeze')}
            </Button>
          )}
        </div>
      </div>
      <PrintTitle />
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} isShown={data !== undefined} />}
      {data === undefined && error === undefined && <Sketch />}
      {data !== undefined && editions.length === 0 && (
        <EmptyState title={t('editions.none')} about={t('editions.about')} />
      )}
      {editions.length > 0 && (
        <Table label={t('editions.title')} list={{ items: editions }} columns={columns} actions={downloads} />
      )}
      {isFreezing && <NewEdition close={() => setIsFreezing(false)} />}
    </>
  );
}

const countColumn = (
  kind: RecordKind,
  countOf: (edition: EditionFieldsFragment) => number,
): Column<EditionFieldsFragment> => ({
  id: kind,
  name: t('common.many', { kind }),
  width: '5rem',
  look: 'number',
  cell: (edition) => formatCount(countOf(edition)),
});

const columns: readonly Column<EditionFieldsFragment>[] = [
  {
    id: 'name',
    name: t('field.name'),
    width: 'minmax(0, 2fr)',
    text: ({ name, note }) => `${name} ${note}`.trim(),
    cell: ({ name, note }) => (
      <>
        <Link to="/editions/compare" search={sinceEdition(name)}>
          {name}
        </Link>{' '}
        <bdi className="hint">{note}</bdi>
      </>
    ),
  },
  {
    id: 'at',
    name: t('editions.at'),
    width: '9.5rem',
    look: 'quiet',
    isNarrow: true,
    text: ({ createdBy }) => t('editions.by', { name: createdBy }),
    cell: ({ at }) => <time dateTime={at}>{formatTime(at)}</time>,
  },
  countColumn('PROGRAM', ({ programs }) => programs),
  countColumn('BRANCH', ({ branches }) => branches),
  {
    id: 'checksum',
    name: 'SHA-256',
    width: 'minmax(0, 1fr)',
    text: ({ checksum }) => checksum,
    cell: ({ checksum }) => (
      <span className="copied">
        <code>{checksum}</code> <CopyButton text={checksum} name={t('editions.copy')} />
      </span>
    ),
  },
  {
    id: 'since',
    name: t('editions.since'),
    width: 'minmax(0, 1fr)',
    isNarrow: true,
    cell: ({ name }) => (
      <Link to="/editions/compare" search={sinceEdition(name)}>
        {t('editions.compareWithNow')}
      </Link>
    ),
  },
];

/** As the service makes names of files safe. */
const fileOf = (name: string, extension: string): string =>
  `edition-${name.replace(/[^\p{L}\p{N}._ -]/gu, '_')}.${extension}`;

function downloads({ name }: EditionFieldsFragment) {
  const encoded = encodeURIComponent(name);
  const exports = formats.map(({ value, name: format }) => ({
    text: t('editions.downloadAs', { format }),
    label: t('editions.downloadOf', { name, format }),
    run: () => void downloadAndReport(`/export/catalog.${value}?edition=${encoded}`, fileOf(name, value)),
  }));
  const evidence = {
    text: t('editions.evidence'),
    label: t('editions.evidenceOf', { name }),
    run: () => void downloadAndReport(`/export/editions/${encoded}.jsonl`, fileOf(name, 'jsonl')),
  };
  return <RowActions name={name} actions={[...exports, evidence]} />;
}
