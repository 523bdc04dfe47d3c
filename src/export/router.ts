import { once } from 'node:events';
import { type RequestHandler, type Response, Router } from 'express';
import type { RequestContext } from '../context.ts';
import { authorize } from '../graphql/access.ts';
import type { AdmissionControl } from '../http/admission.ts';
import { whenClosed } from '../http/closed.ts';
import { rejectOtherMethods } from '../http/read-only.ts';
import { jsonType, sendPathNotFound } from '../http/send.ts';
import type { ExportCatalog, ExportRequest } from '../transfer/exporter.ts';
import { readExportRequest } from './request.ts';

/** The base path of exports. */
export const exportPath = '/export';

const mediaTypes = { csv: 'text/csv; charset=utf-8', json: jsonType } as const;

interface ExportOptions {
  readonly contextOf: (response: Response) => RequestContext;
  readonly admission: Pick<AdmissionControl, 'release'>;
}

/** The router of exports: a file of programs and their branches, in the import format (`docs/contract.md` 11). */
export function createExportRouter(exportCatalog: ExportCatalog, options: ExportOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const format of ['csv', 'json'] as const) {
    const path = `/catalog.${format}`;
    router.get(path, createDownload(format, exportCatalog, options));
    router.all(path, rejectOtherMethods);
  }
  return router.use((_request, response) => sendPathNotFound(response));
}

const headersOf = (format: ExportRequest['format']) => ({
  'Content-Type': mediaTypes[format],
  'Content-Disposition': `attachment; filename="catalog.${format}"`,
});

function createDownload(
  format: ExportRequest['format'],
  exportCatalog: ExportCatalog,
  { contextOf, admission }: ExportOptions,
): RequestHandler {
  return async (request, response) => {
    request.pattern = `${exportPath}/catalog.${format}`;
    authorize(contextOf(response).caller, { access: 'programs:read', writes: false });
    const exportRequest = await readExportRequest(request.originalUrl.split('?').slice(1).join('?'), format);
    if (request.method === 'HEAD') {
      response.writeHead(200, headersOf(format)).end();
      return;
    }
    const left = new AbortController();
    whenClosed(response, () => left.abort());
    try {
      await exportCatalog(exportRequest, left.signal, async (texts, signal) => {
        // The first is there before anything is sent, so that a failure up to then has a status.
        let { value, done } = await texts.next();
        admission.release(response);
        response.writeHead(200, headersOf(format));
        for (; done !== true; { value, done } = await texts.next()) {
          if (!response.write(value)) await once(response, 'drain', { signal });
        }
        response.end();
      });
    } catch (problem) {
      if (!left.signal.aborted) throw problem;
    }
  };
}
