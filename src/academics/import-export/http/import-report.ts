import type { Column, Problem } from '../columns.ts';
import type { Change } from '../import/conflicts.ts';
import type { FileImportResult } from '../import/importer.ts';
import { rejectedCsv } from '../import/rejected-rows.ts';

interface ReportedChange {
  readonly line: number;
  readonly column: Column;
  readonly kind: 'program' | 'branch';
  readonly recordId: number;
  readonly from: string;
  readonly to: string;
}

/** The response of an import (`docs/contract.md` 11). Each list has a maximum, and its total beside it. */
export interface ImportReport
  extends Pick<
    FileImportResult,
    'outcome' | 'changeId' | 'rows' | 'skipped' | 'repeated' | 'programs' | 'branches' | 'years' | 'ignoredColumns'
  > {
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly rejectedCsv: string | null;
  readonly conflicts: readonly Problem[];
  readonly conflictCount: number;
  readonly changes: readonly ReportedChange[];
  readonly changeCount: number;
}

export async function importReportOf(result: FileImportResult): Promise<ImportReport> {
  const { outcome, changeId, rows, skipped, repeated, programs, branches, years, ignoredColumns } = result;
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
    conflicts: result.differences.listed,
    conflictCount: result.differences.total,
    changes: result.changes.listed.map(reportedChange),
    changeCount: result.changes.total,
    ignoredColumns,
  };
}

function reportedChange({ line, column, subject, id, from, to }: Change): ReportedChange {
  return { line, column, kind: subject === 'Program' ? 'program' : 'branch', recordId: id, from, to };
}
