import { type Command, Option } from 'commander';
import type { ChangeSummary } from '../../academics/history/change-summaries.ts';
import { changeActions, eachChange } from '../../academics/history/step-changes.ts';
import { type KindWord, kindOf, kindWords } from '../../academics/kinds.ts';
import { csvOption, type ListOptions, listOptionsOf, parseEntryCount, parseId, parseMoment } from '../arguments.ts';
import { type CliContext, printList, withDatabase } from '../cli-context.ts';

const columns = [
  'at',
  'actor',
  'action',
  'programs',
  'branches',
  'kind',
  'recordId',
  'name',
  'file',
  'undoes',
  'undoneBy',
  'changeId',
] as const;

interface ChangesOptions extends ListOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly actor?: string;
  readonly action?: readonly string[];
  readonly kind?: KindWord;
  readonly program?: number;
  readonly first: number;
}

const shown = (change: ChangeSummary) => ({
  at: change.at,
  actor: change.actor,
  action: change.action.toUpperCase(),
  programs: change.programs,
  branches: change.branches,
  kind: change.subject?.toUpperCase() ?? null,
  recordId: change.subjectId,
  name: change.name,
  file: change.file,
  undoes: change.undoes,
  undoneBy: change.undoneBy,
  changeId: change.changeId,
});

export function addChangesCommand(program: Command, context: CliContext): void {
  program
    .command('changes')
    .description(
      'list who changed what in the catalog, newest first: each import, undo and change of one record or many as one; `audit list --change` has its records',
    )
    .option('--since <time>', 'only those at or after this day (UTC) or time, such as 2026-11-01', parseMoment)
    .option('--until <time>', 'only those before this day or time', parseMoment)
    .option('--actor <name>', 'only those by the user who had this name then; `cli` for the command line')
    .addOption(new Option('--action <action...>', 'only those that did this').choices(changeActions))
    .addOption(new Option('--kind <kind>', 'only those of such records').choices(kindWords))
    .option('--program <id>', 'only those of this program, or of a branch while it belonged to it', parseId)
    .option('--first <count>', 'how many', parseEntryCount, 10_000)
    .addOption(csvOption())
    .action(async (_options: object, command: Command) => {
      const options = listOptionsOf<ChangesOptions>(command);
      const { kind, action: actions, program: programId, first, ...period } = options;
      const conditions = { ...period, actions, programId, kind: kind && kindOf(kind) };
      const found = await withDatabase(context, async (db) => {
        const changes: ChangeSummary[] = [];
        for await (const change of eachChange(db, conditions)) if (changes.push(change) === first) break;
        return changes;
      });
      printList(context, columns, found.map(shown), options);
    });
}
