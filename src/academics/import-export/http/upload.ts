import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../../accounts/audit/audit.ts';
import { accessChanged, type CallerMonitor, watchPermission } from '../../../accounts/authentication/caller-monitor.ts';
import type { Caller } from '../../../accounts/caller.ts';
import type { Reauthentication, RequestContext } from '../../../context.ts';
import type { ChangeMonitor } from '../../../database/types.ts';
import { authorize, type Requirement } from '../../../graphql/access.ts';
import type { FileImportResult, ImportFile } from '../import/importer.ts';
import { rejectedCsv } from '../rejected-rows.ts';
import { reportOf } from '../report.ts';
import { readImportRequest } from './parameters.ts';
import type { ReceivedFile } from './received-file.ts';

export interface UploadOptions {
  readonly contextOf: (response: Response) => RequestContext;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** Yields the admission slot while the file arrives, and authenticates again afterwards. */
  readonly readFile: (request: Request, response: Response) => Promise<ReceivedFile>;
}

/** What an import needs, and a look at its file. */
export const editing: Requirement = { access: 'programs:write', writes: true };

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
      sendJson(response, 200, await responseOf(await importFile({ ...importRequest, bytes })));
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

interface ImportOptions {
  readonly importFile: ImportFile;
  readonly caller: Caller;
  readonly callers: Pick<CallerMonitor, 'watch'>;
  readonly actor: Actor;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly reauthentication: Pick<Reauthentication, 'requireCurrent'>;
  readonly onClosed: RequestContext['onClosed'];
  readonly onCommit: () => void;
}

/** In the caller's name, as long as the client waits and the caller may import. */
export async function importForRequest(
  file: Parameters<RequestContext['importFile']>[0],
  { importFile, caller, callers, actor, changes, reauthentication, onClosed, onCommit }: ImportOptions,
): Promise<FileImportResult> {
  const ended = new AbortController();
  onClosed(() => ended.abort(new ServiceError('UNAVAILABLE', 'The client disconnected.')));
  const unwatch = watchPermission(callers, caller, 'programs:write', () => ended.abort(accessChanged()));
  const { signal } = ended;
  try {
    const result = await importFile({ ...file, actor, signal, beforeCommit: reauthentication.requireCurrent });
    if (result.outcome === 'imported') {
      changes.bump('catalog');
      onCommit();
    }
    return result;
  } catch (problem) {
    // The cancelled statement fails for its own reason, which would be logged.
    throw signal.aborted ? signal.reason : problem;
  } finally {
    unwatch();
  }
}
