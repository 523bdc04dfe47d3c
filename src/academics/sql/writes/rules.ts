import type { Details, Problem } from '@service/errors/problems';
import type { RecordKind } from '../../kinds.ts';

/**
 * What a change is, for rules that hold for some: what people set is judged, while a restoration, a copy and an undo bring
 * back what was there.
 */
export type Cause = 'create' | 'update' | 'delete' | 'restore' | 'copy' | 'import' | 'undo';

/** A change of a record that is judged: SQL expressions of its kind, and of its snapshots, null where there is none. */
interface Judged {
  readonly cause: Cause;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What forbids changes of the catalog beside the form of its records: one table of rules for each way to change it, for a
 * dry run as for the run. A rule says which field it is about in `details.field`, by its name in a form: `attributes.level`.
 */
export interface Rules {
  /**
   * A SELECT of `rule text, details jsonb`, a row for each problem; empty while nothing is defined, which costs nothing.
   * Parameters are `$first` and following.
   */
  problemsOf(judged: Judged, first: number): string;
  /** The values of its parameters. */
  readonly values: readonly unknown[];
  /** The same of a new record, by its snapshot: a program that shares its statement with others is judged before it. */
  problemsOfNew(kind: RecordKind, after: Readonly<Record<string, unknown>>): readonly RuleProblem[];
}

export interface RuleProblem extends Pick<Problem, 'rule'> {
  readonly details: Details;
}

export const noRules: Rules = { problemsOf: () => '', values: [], problemsOfNew: () => [] };
