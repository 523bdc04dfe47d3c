import type { AdmissionControl } from '@service/http/admission';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import { perform } from '../../../operations/perform.ts';
import { Reading, type RequestState } from '../../../operations/request.ts';
import type { FileImportResult } from '../import/importer.ts';
import { type FileToImport, importCatalog } from '../import/operation.ts';
import { rejectedCsv } from '../rejected-rows.ts';
import { reportOf } from '../report.ts';
import { readImportRequest } from './import-parameters.ts';
import type { ReceivedFile } from './received-file.ts';

export interface UploadOptions {
  readonly stateOf: (request: Request) => RequestState;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** Yields the admission slot while the file arrives, and authenticates again afterwards. */
  readonly readFile: (request: Request, response: Response) => Promise<ReceivedFile>;
}

/** The handler of an import: the body is the file. It waits for its turn once its file is whole. */
export function createUpload(path: string, { stateOf, admission, readFile }: UploadOptions): RequestHandler {
  return async (request, response) => {
    request.pattern = path;
    const given = async (): Promise<FileToImport> => {
      const parameters = await readImportRequest(request);
      const { bytes } = await readFile(request, response);
      // The slot is released: an import waits only for the database from here on, on a connection of its own.
      admission.release(response);
      return { ...parameters, bytes };
    };
    try {
      const result = await perform(importCatalog, given, new Reading(stateOf(request)));
      sendJson(response, 200, await responseOf(result));
    } finally {
      // No timeout applied during the import.
      request.setTimeout(idleTimeoutMs);
    }
  };
}

/** The response of an import (`docs/contract.md` 11). */
async function responseOf({ rejected, ...result }: FileImportResult) {
  const { fingerprint, ignoredColumns, encoding, encodingGuessed, encodingSample, headerRow, sheet, sheets, found } =
    result;
  return {
    ...reportOf(result),
    fingerprint,
    rejectedCsv: await rejectedCsv(rejected),
    ignoredColumns,
    encoding,
    encodingGuessed,
    encodingSample,
    headerRow,
    sheet,
    sheets,
    ...found,
  };
}
