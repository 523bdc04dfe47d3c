// The report of an import or a dry run, in the form of the API and of the command line (`docs/contract.md` 11).
import type { Column, ComparedRecord, Conflict, RowProblem } from './columns.ts';
import type { ChangedValue } from './import/conflicts.ts';
import type { ImportResult } from './import/import-catalog.ts';

interface ReportedRecord {
  readonly kind: 'program' | 'branch';
  readonly recordId: number | null;
  readonly name: string;
  readonly programName: string | null;
}

/** A conflict; it has no record where a row has no branch. */
type ReportedConflict = Omit<Conflict, 'record'> & Partial<ReportedRecord>;

interface ReportedChange extends ReportedRecord {
  readonly line: number;
  readonly column: Column;
  /** `null` for no value, as in what follows. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Each list is capped, with its total beside it. */
interface ImportReport
  extends Pick<
    ImportResult,
    'outcome' | 'changeId' | 'ids' | 'rows' | 'skipped' | 'repeated' | 'programs' | 'branches' | 'years' | 'sample'
  > {
  readonly problems: readonly RowProblem[];
  readonly problemCount: number;
  readonly conflicts: readonly ReportedConflict[];
  readonly conflictCount: number;
  readonly changes: readonly ReportedChange[];
  readonly changeCount: number;
  readonly ambiguousCodes: readonly RowProblem[];
  readonly ambiguousCodeCount: number;
  readonly created: ImportResult['created']['listed'];
  readonly createdCount: number;
  readonly missing: ImportResult['missing']['listed'];
  readonly missingCount: number;
  readonly perhapsRenamed: ImportResult['perhapsRenamed']['listed'];
  readonly perhapsRenamedCount: number;
}

/** The report of an import. */
export function reportOf(result: ImportResult): ImportReport {
  const { outcome, changeId, ids, rows, skipped, repeated, programs, branches, years, sample } = result;
  return {
    outcome,
    changeId,
    ids,
    rows,
    skipped,
    repeated,
    programs,
    branches,
    years,
    problems: result.problems.listed,
    problemCount: result.problems.total,
    conflicts: result.conflicts.listed.map(reportedConflict),
    conflictCount: result.conflicts.total,
    changes: result.changes.listed.map(reportedChange),
    changeCount: result.changes.total,
    ambiguousCodes: result.ambiguousCodes.listed,
    ambiguousCodeCount: result.ambiguousCodes.total,
    created: result.created.listed,
    createdCount: result.created.total,
    missing: result.missing.listed,
    missingCount: result.missing.total,
    perhapsRenamed: result.perhapsRenamed.listed,
    perhapsRenamedCount: result.perhapsRenamed.total,
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
  value: conflict.value || null,
  kept: conflict.kept || null,
  ...(record && reportedRecord(record)),
});

const reportedChange = ({ line, column, subject, from, to, ...record }: ChangedValue): ReportedChange => ({
  line,
  column,
  ...reportedRecord({ ...record, kind: subject === 'Program' ? 'program' : 'branch' }),
  from: from || null,
  to: to || null,
});
