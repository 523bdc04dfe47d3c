import { rejectOtherMethods, sendMethodNotAllowed, sendPathNotFound } from '@service/http/errors';
import { Router } from 'express';
import { createDownload, type DownloadOptions } from './download.ts';
import { createFileColumns } from './file-columns.ts';
import { createUpload, type UploadOptions } from './upload.ts';

/** The base paths of exports and imports. */
export const exportPath = '/export';
export const importPath = '/import';

/** The router of exports: a file of programs and their branches, in the import format (`docs/contract.md` 11). */
export function createExportRouter(options: DownloadOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const format of ['csv', 'json', 'xlsx'] as const) {
    const path = `/catalog.${format}`;
    router.get(path, createDownload(exportPath + path, format, options));
    router.all(path, rejectOtherMethods);
  }
  return router.use((_request, response) => sendPathNotFound(response));
}

/** The router of imports and looks at files: the body is the file, the response is JSON (`docs/contract.md` 11). */
export function createImportRouter(options: UploadOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/catalog', createUpload(`${importPath}/catalog`, options));
  router.post('/columns', createFileColumns(`${importPath}/columns`, options));
  router.all(['/catalog', '/columns'], ({ method }, response) => sendMethodNotAllowed(response, method, 'POST'));
  return router.use((_request, response) => sendPathNotFound(response));
}
