import { ServiceError } from '@service/errors';
import { sendMethodNotAllowed, sendPathNotFound } from '@service/http/errors';
import { whenClosed } from '@service/http/send';
import { type RequestHandler, Router } from 'express';
import { createFileColumns } from './file-columns.ts';
import { createUpload, type UploadOptions } from './upload.ts';

export const importPath = '/import';

/** The router of imports and looks at files: the body is the file, the response is JSON (`docs/contract.md` 11). */
export function createImportRouter(options: UploadOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post(['/catalog', '/columns'], limitFiles(options));
  router.post('/catalog', createUpload(`${importPath}/catalog`, options));
  router.post('/columns', createFileColumns(`${importPath}/columns`, options));
  router.all(['/catalog', '/columns'], ({ method }, response) => sendMethodNotAllowed(response, method, 'POST'));
  return router.use((_request, response) => sendPathNotFound(response));
}

/** Files of one user at a time, who could otherwise fill the memory that all files share. */
const userFilesMax = 2;

/** Rejects a file of a user who has two that are being sent or read. */
function limitFiles({ stateOf }: Pick<UploadOptions, 'stateOf'>): RequestHandler {
  const files = new Map<string, number>();
  return (request, response, next) => {
    const account = stateOf(request).account;
    const open = files.get(account) ?? 0;
    if (open >= userFilesMax) {
      const message = `You are sending ${open} files already, which is the limit. Please wait for one of them.`;
      throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    files.set(account, open + 1);
    whenClosed(response, () => {
      const left = (files.get(account) ?? 0) - 1;
      if (left > 0) files.set(account, left);
      else files.delete(account);
    });
    next();
  };
}
