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
import type { Column, ComparedRecord, Conflict, Problem } from '../columns.ts';
import type { ChangedValue } from '../import/conflicts.ts';
import type { FileImportResult, ImportFile } from '../import/importer.ts';
import type { CreatedRecord, MissingRecord } from '../import/preview.ts';
import { rejectedCsv } from '../import/rejected-rows.ts';
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
      sendJson(response, 200, await importReportOf(await importFile({ ...importRequest, bytes })));
    } finally {
      request.setTimeout(idleTimeoutMs);
    }
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

interface ReportedRecord {
  readonly kind: 'program' | 'branch';
  readonly recordId: number | null;
  readonly name: string;
  readonly programName: string | null;
}

/** Without a record, where a row has no branch. */
type ReportedConflict = Omit<Conflict, 'record'> & Partial<ReportedRecord>;

interface ReportedChange extends ReportedRecord {
  readonly line: number;
  readonly column: Column;
  readonly from: string;
  readonly to: string;
}

/** The response of an import (`docs/contract.md` 11). Each list has a maximum, and its total beside it. */
interface ImportReport
  extends Pick<
    FileImportResult,
    | 'outcome'
    | 'changeId'
    | 'rows'
    | 'skipped'
    | 'repeated'
    | 'programs'
    | 'branches'
    | 'years'
    | 'ignoredColumns'
    | 'encoding'
    | 'headerRow'
    | 'sheet'
    | 'sheets'
    | 'encodingSample'
    | 'sample'
  > {
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly rejectedCsv: string | null;
  readonly conflicts: readonly ReportedConflict[];
  readonly conflictCount: number;
  readonly changes: readonly ReportedChange[];
  readonly changeCount: number;
  readonly ambiguousCodes: readonly Problem[];
  readonly ambiguousCodeCount: number;
  readonly created: readonly CreatedRecord[];
  readonly createdCount: number;
  readonly missing: readonly MissingRecord[];
  readonly missingCount: number;
}

async function importReportOf(result: FileImportResult): Promise<ImportReport> {
  const { outcome, changeId, rows, skipped, repeated, programs, branches, years } = result;
  const { ignoredColumns, encoding, encodingSample, headerRow, sheet, sheets, sample } = result;
  return {
    outcome,
    changeId,
    rows,
    skipped,
    repeated,
    programs,
    branches,
    years,
    problems: result.problems.listed,
    problemCount: result.problems.total,
    rejectedCsv: await rejectedCsv(result.rejected),
    conflicts: result.differences.listed.map(reportedConflict),
    conflictCount: result.differences.total,
    changes: result.changes.listed.map(reportedChange),
    changeCount: result.changes.total,
    ambiguousCodes: result.ambiguousCodes.listed,
    ambiguousCodeCount: result.ambiguousCodes.total,
    created: result.created.listed,
    createdCount: result.created.total,
    missing: result.missing.listed,
    missingCount: result.missing.total,
    ignoredColumns,
    encoding,
    encodingSample,
    headerRow,
    sheet,
    sheets,
    sample,
  };
}

const reportedRecord = ({ kind, id, name, programName }: ComparedRecord): ReportedRecord => ({
  kind,
  recordId: id,
  name,
  programName,
});

const reportedConflict = ({ record, ...conflict }: Conflict): ReportedConflict => ({
  ...conflict,
  ...(record && reportedRecord(record)),
});

function reportedChange({ line, column, subject, from, to, ...record }: ChangedValue): ReportedChange {
  const kind = subject === 'Program' ? 'program' : 'branch';
  return { line, column, ...reportedRecord({ ...record, kind }), from, to };
}
