// The report of an import or a dry run, in the form of the API and of the command line (`docs/contract.md` 11).
import { type KindWord, kinds } from '../kinds.ts';
import type { RecordChange } from '../record-change.ts';
import type { ComparedRecord, Conflict } from './columns.ts';
import type { ChangedValue } from './import/compare-rows.ts';
import type { ImportResult } from './import/import-rows.ts';

interface ReportedRecord {
  readonly kind: KindWord;
  readonly recordId: number | null;
  readonly name: string;
  readonly programName: string | null;
}

/** The report of an import: each list is capped, with its total beside it. */
export function reportOf(result: ImportResult) {
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
    retired: result.retired.listed,
    retiredCount: result.retired.total,
    conflicts: result.conflicts.listed.map(reportedConflict),
    conflictCount: result.conflicts.total,
    changes: result.changes.listed.map(reportedChange),
    changeCount: result.changes.total,
    records: result.changedRecords.listed.map(reportedChangeOfRecord),
    recordCount: result.changedRecords.total,
    ambiguousCodes: result.ambiguousCodes.listed,
    ambiguousCodeCount: result.ambiguousCodes.total,
    nearlyEqual: result.nearlyEqual.listed,
    nearlyEqualCount: result.nearlyEqual.total,
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

/** A conflict; it has no record where a row has no branch. */
const reportedConflict = ({ record, ...conflict }: Conflict): Omit<Conflict, 'record'> & Partial<ReportedRecord> => ({
  ...conflict,
  value: conflict.value || null,
  kept: conflict.kept || null,
  ...(record && reportedRecord(record)),
});

/** A changed value; `null` for no value. */
const reportedChange = ({ line, column, subject, from, to, ...record }: ChangedValue) => ({
  line,
  column,
  ...reportedRecord({ ...record, kind: subject === 'Program' ? 'program' : 'branch' }),
  from: from || null,
  to: to || null,
});

/** A record as the report calls its kind. */
const reportedChangeOfRecord = ({ kind, ...change }: RecordChange) => ({ kind: kinds[kind].word, ...change });
