import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import { accessChanged, watchPermission } from '../../../accounts/authentication/caller-monitor.ts';
import { authorize, type Requirement } from '../../../operations/access.ts';
import type { RequestState } from '../../../operations/request.ts';
import { actorOf } from '../../../operations/transaction.ts';
import type { FileImport, FileImportResult } from '../import/importer.ts';
import { rejectedCsv } from '../rejected-rows.ts';
import { reportOf } from '../report.ts';
import { readImportRequest } from './parameters.ts';
import type { ReceivedFile } from './received-file.ts';

export interface UploadOptions {
  readonly stateOf: (request: Request) => RequestState;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** Yields the admission slot while the file arrives, and authenticates again afterwards. */
  readonly readFile: (request: Request, response: Response) => Promise<ReceivedFile>;
}

/** What an import needs, and a look at its file. */
export const editing: Requirement = { access: 'programs:write', writes: true };

/** The handler of an import: the body is the file. One import runs at a time, and none before its file is whole. */
export function createUpload(path: string, { stateOf, admission, readFile }: UploadOptions): RequestHandler {
  return async (request, response) => {
    request.pattern = path;
    authorize(stateOf(request).caller, editing);
    const importRequest = await readImportRequest(request);
    const { bytes } = await readFile(request, response);
    const state = stateOf(request);
    authorize(state.caller, editing);
    // Only the database is waited for from here on; an import has a connection of its own.
    admission.release(response);
    // It may take minutes, in which nothing is sent; when the client leaves, it is cancelled.
    request.setTimeout(0);
    try {
      sendJson(response, 200, await responseOf(await importForRequest({ ...importRequest, bytes }, state)));
    } finally {
      request.setTimeout(idleTimeoutMs);
    }
  };
}

/** The response of an import (`docs/contract.md` 11). */
async function responseOf({ rejected, ...result }: FileImportResult) {
  const { ignoredColumns, encoding, encodingGuessed, encodingSample, headerRow, sheet, sheets } = result;
  return {
    ...reportOf(result),
    rejectedCsv: await rejectedCsv(rejected),
    ignoredColumns,
    encoding,
    encodingGuessed,
    encodingSample,
    headerRow,
    sheet,
    sheets,
  };
}

/** Imports in the caller's name, as long as the client waits and the caller may import. */
async function importForRequest(
  file: Omit<FileImport, 'actor' | 'signal' | 'beforeCommit'>,
  state: RequestState,
): Promise<FileImportResult> {
  const { app, caller } = state;
  const ended = new AbortController();
  state.onClosed(() => ended.abort(new ServiceError('UNAVAILABLE', 'The client disconnected.')));
  const unwatch = watchPermission(app.callers, caller, 'programs:write', () => ended.abort(accessChanged()));
  const { signal } = ended;
  const beforeCommit = () => state.reauthentication.requireCurrent();
  try {
    const result = await app.importFile({ ...file, actor: actorOf(state), signal, beforeCommit });
    if (result.outcome === 'imported') {
      app.changes.bump('catalog');
      state.noteWrite();
    }
    return result;
  } catch (problem) {
    // The cancelled statement fails for its own reason, which would be logged.
    throw signal.aborted ? signal.reason : problem;
  } finally {
    unwatch();
  }
}
