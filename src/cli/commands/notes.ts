import type { Command } from 'commander';
import { findNotes } from '../../academics/notes/notes.ts';
import { branchesById, programsById } from '../../academics/sql/records.ts';
import type { Note } from '../../generated/prisma/client.ts';
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
      const records = await withDatabase(context, async (db) => {
        const addressee =
          recipient === undefined ? undefined : await db.user.findUnique({ where: { name: recipient } });
        const addresseeId = recipient === undefined ? undefined : (addressee?.id ?? 0);
        const notes = await findNotes(db, { done, programId, addresseeId });
        const branches = byId(
          await branchesById(
            db,
            notes.flatMap(({ branchId }) => branchId ?? []),
          ),
        );
        const programOf = ({ programId, branchId }: Note) => programId ?? branches.get(branchId ?? 0)?.programId ?? 0;
        const programs = byId(await programsById(db, notes.map(programOf)));
        return notes.map((note) => {
          const ofProgram = programs.get(programOf(note));
          return {
            id: note.id,
            createdAt: note.createdAt,
            author: note.author,
            addressee: note.addressee,
            text: note.text,
            programId: ofProgram?.id ?? null,
            program: ofProgram?.name ?? null,
            branchId: note.branchId,
            branch: branches.get(note.branchId ?? 0)?.name ?? null,
            doneAt: note.doneAt,
            doneBy: note.doneBy,
          };
        });
      });
      printList(context, columns, records, options);
    });
}

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));
