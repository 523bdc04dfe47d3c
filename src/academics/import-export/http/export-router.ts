import { ServiceError } from '@service/errors';
import { rejectOtherMethods, sendPathNotFound } from '@service/http/errors';
import { createPlaces, type Places } from '@service/http/places';
import { xlsxType } from '@service/tabular/xlsx';
import { type Request, Router } from 'express';
import { comparisonSheet } from '../../editions/comparison-sheet.ts';
import { type Compare, compareCatalogs, downloadEdition } from '../../editions/operations.ts';
import { formatNames, formats } from '../export/formats.ts';
import { exportCatalog } from '../export/operation.ts';
import { readComparedPoints } from './comparison-parameters.ts';
import { attachment, createDownload, type Download, type DownloadOptions } from './download.ts';
import { readExportRequest } from './export-parameters.ts';

export const exportPath = '/export';

const headersOf = (type: string, name: string) => ({ 'Content-Type': type, 'Content-Disposition': attachment(name) });

const linesEnding = '.jsonl';
const linesType = 'application/jsonl; charset=utf-8';

/** The name in `/editions/NAME.jsonl`. */
function nameOfEdition({ params }: Request): { readonly name: string } {
  const file = String(params['file'] ?? '');
  if (!file.endsWith(linesEnding)) throw new ServiceError('NOT_FOUND', 'There is no such path.');
  return { name: file.slice(0, -linesEnding.length) };
}

/** The bytes whose checksum an edition has; each caller reads one at a time. */
const linesOf =
  (places: Places) =>
  ({ edition, chunks }: Awaited<ReturnType<typeof downloadEdition.run>>): Download => ({
    what: { edition: edition.name },
    headers: headersOf(linesType, `edition-${edition.name}${linesEnding}`),
    entityTag: `"${edition.checksum}"`,
    read: async ({ caller, signal }, send) => {
      const leave = places.take(caller);
      try {
        await send(chunks(), { records: edition.programs + edition.branches }, signal);
      } finally {
        leave();
      }
    },
  });

const comparisonFile = {
  given: ({ originalUrl }: Request) => readComparedPoints(originalUrl),
  file: (compare: Compare): Download => ({
    what: { format: 'comparison' },
    headers: headersOf(xlsxType, 'comparison.xlsx'),
    read: ({ signal }, send) => {
      const progress = { records: 0 };
      return compare(signal, (comparison) => send(comparisonSheet(comparison, progress), progress, signal));
    },
  }),
};

/** The router of exports (`docs/contract.md` 11): the catalog in the import format, editions, comparisons. */
export function createExportRouter(options: DownloadOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const format of formatNames) {
    const path = `/catalog.${format}`;
    const given = ({ originalUrl }: Request) => readExportRequest(originalUrl, format);
    const headers = headersOf(formats[format].mediaType, `catalog.${format}`);
    const file = (read: Download['read']): Download => ({ what: { format }, headers, read });
    router.get(path, createDownload(exportPath + path, exportCatalog, { given, file }, options));
    router.all(path, rejectOtherMethods);
  }
  const places = createPlaces({ placesMax: 4, one: 'a download of an edition', many: 'downloads of editions' });
  router.get(
    '/editions/:file',
    createDownload(
      `${exportPath}/editions/:name${linesEnding}`,
      downloadEdition,
      { given: nameOfEdition, file: linesOf(places) },
      options,
    ),
  );
  router.all('/editions/:file', rejectOtherMethods);
  router.get(
    '/comparison.xlsx',
    createDownload(`${exportPath}/comparison.xlsx`, compareCatalogs, comparisonFile, options),
  );
  router.all('/comparison.xlsx', rejectOtherMethods);
  return router.use((_request, response) => sendPathNotFound(response));
}
