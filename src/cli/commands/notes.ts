import type { Command } from 'commander';
import { notesWhere } from '../../academics/notes/operations.ts';
import { csvOption, type ListOptions, listOptionsOf, parseId, parseUserName } from '../arguments.ts';
import { type CliContext, printList, withDatabase } from '../cli-context.ts';

const columns = [
  'id',
  'createdAt',
  'author',
  'addressee',
  'text',
  'programId',
  'program',
  'branchId',
  'branch',
  'doneAt',
  'doneBy',
] as const;

interface NotesOptions extends ListOptions {
  readonly for?: string;
  readonly program?: number;
  readonly done?: boolean;
}

export function addNotesCommand(program: Command, context: CliContext): void {
  program
    .command('notes')
    .description('list the open notes on programs and branches, newest first')
    .option('--for <name>', 'only those for this user', parseUserName)
    .option('--program <id>', 'only those on this program and its branches', parseId)
    .option('--done', 'those that are done instead')
    .addOption(csvOption())
    .action(async (_options: object, command: Command) => {
      const options = listOptionsOf<NotesOptions>(command);
      const { for: recipient, program: programId, done = false } = options;
      const notes = await withDatabase(context, (db) =>
        db.note.findMany({
          where: {
            AND: [notesWhere({ done, programId }), recipient === undefined ? {} : { recipient: { name: recipient } }],
          },
          include: { program: true, branch: { include: { program: true } } },
          orderBy: { id: 'desc' },
        }),
      );
      const records = notes.map(({ id, createdAt, author, addressee, text, doneAt, doneBy, ...on }) => {
        const ofProgram = on.branch?.program ?? on.program;
        return {
          id,
          createdAt,
          author,
          addressee,
          text,
          programId: ofProgram?.id ?? null,
          program: ofProgram?.name ?? null,
          branchId: on.branchId,
          branch: on.branch?.name ?? null,
          doneAt,
          doneBy,
        };
      });
      printList(context, columns, records, options);
    });
}
