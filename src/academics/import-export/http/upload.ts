import type { AdmissionControl } from '@service/http/admission';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import type { RequestContext } from '../../../context.ts';
import { authorize, type Requirement } from '../../../graphql/access.ts';
import { importReportOf } from './import-report.ts';
import { readImportRequest } from './import-request.ts';
import type { ReceivedFile } from './received-file.ts';

export interface UploadOptions {
  readonly contextOf: (response: Response) => RequestContext;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** Yields the admission slot while the file arrives, and authenticates again afterwards. */
  readonly readFile: (request: Request, response: Response) => Promise<ReceivedFile>;
}

const editing: Requirement = { access: 'programs:write', writes: true };

/** The handler of an import: the body is the file. One import runs at a time, and none before its file is whole. */
export function createUpload(path: string, { contextOf, admission, readFile }: UploadOptions): RequestHandler {
  return async (request, response) => {
    request.pattern = path;
    authorize(contextOf(response).caller, editing);
    const importRequest = await readImportRequest(request);
    const { bytes } = await readFile(request, response);
    const { caller, importFile } = contextOf(response);
    authorize(caller, editing);
    // From here on it waits for the database; an import has a connection of its own.
    admission.release(response);
    // It may take minutes, in which nothing is sent; when the client leaves, it is cancelled.
    request.setTimeout(0);
    try {
      sendJson(response, 200, await importReportOf(await importFile({ ...importRequest, bytes })));
    } finally {
      request.setTimeout(idleTimeoutMs);
    }
  };
}
