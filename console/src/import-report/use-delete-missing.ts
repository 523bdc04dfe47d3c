import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { useUndo } from '../bulk/use-undo.ts';
import { toast, toastFailure } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import { DeleteMissingDocument } from './documents.generated.ts';
import type { Report } from './report.ts';

type Missing = Report['missing'];

interface Portion {
  readonly changed: number;
  readonly changeIds: readonly string[];
}

/**
 * Deletes the records that a file does not have, in portions as its report lists them: at most a thousand, the limit of a
 * mutation too. After each the file is compared again, which lists the next.
 */
export function useDeleteMissing(readReport: () => Promise<Report | string>, onDeleted: () => void) {
  const [, mutate] = useMutation(DeleteMissingDocument);
  const undo = useUndo();
  const [deleted, setDeleted] = useState<number | null>(null);

  /** Deletes one portion, or says what that would do. Returns the problem as a text. */
  const deletePortion = async (missing: Missing, dryRun: boolean): Promise<Portion | string> => {
    const idsOf = (kind: Missing[number]['kind']) =>
      missing.filter((one) => one.kind === kind).map(({ recordId }) => recordId);
    const [programs, branches] = [idsOf('program'), idsOf('branch')];
    const variables = {
      programs,
      branches,
      hasPrograms: programs.length > 0,
      hasBranches: branches.length > 0,
      dryRun,
    };
    const { data, error } = await mutate(variables);
    if (error !== undefined) return describeError(error);
    const results = [data?.deletePrograms, data?.deleteBranches].filter((result) => result != null);
    const [problem] = results.flatMap(({ problems }) => problems);
    if (problem !== undefined) return problem.message;
    return {
      changed: results.reduce((sum, { changed }) => sum + changed, 0),
      changeIds: results.flatMap(({ changeId }) => (changeId === null ? [] : [changeId])),
    };
  };

  const restore = async (changeIds: readonly string[]): Promise<void> => {
    for (const changeId of changeIds.toReversed()) await undo(changeId);
    onDeleted();
  };

  const run = async (first: Missing): Promise<void> => {
    let [missing, count] = [first, 0];
    const changeIds: string[] = [];
    let problem: string | null = null;
    while (missing.length > 0 && problem === null) {
      setDeleted(count);
      const portion = await deletePortion(missing, false);
      if (typeof portion === 'string') problem = portion;
      else {
        count += portion.changed;
        changeIds.push(...portion.changeIds);
        const next = portion.changed > 0 ? await readReport() : { missing: [] };
        if (typeof next === 'string') problem = next;
        else missing = next.missing;
      }
    }
    setDeleted(null);
    if (problem !== null) toastFailure(problem);
    if (count > 0) {
      const text = `${pluralize(count, 'record was', 'records were')} deleted.`;
      toast(text, { label: 'Undo', run: () => void restore(changeIds) });
    }
    onDeleted();
  };

  return { deleted, run, check: (missing: Missing) => deletePortion(missing, true) };
}
