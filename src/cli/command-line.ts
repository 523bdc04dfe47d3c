import { Command, CommanderError } from 'commander';
import { cliCommand, version } from '../installation.ts';
import type { CliContext } from './cli-context.ts';
import { addAttributesCommand } from './commands/attributes.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addChangesCommand } from './commands/changes.ts';
import { addCheckCommand } from './commands/check.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addDatabaseCommand, addMigrateCommand } from './commands/database.ts';
import { addEditionsCommand } from './commands/editions.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addNotesCommand } from './commands/notes.ts';
import { addUserCommands } from './commands/users.ts';
import { exitCodeOf, Interrupted, messageFor } from './errors.ts';
import { type OutputStream, outputOn } from './output.ts';

const success = 0;
const wrongUsage = 2;

/** A command's environment, with the raw streams. */
export type ProcessContext = Omit<CliContext, 'stdout' | 'stderr'> & {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
};

/**
 * Runs one command.
 *
 * @param words the arguments after the command.
 * @returns the exit code: 0 on success, 1 on failure, 2 on wrong usage, 3 when a file to import has errors and nothing was
 *   imported.
 */
export async function runCommandLine(
  words: readonly string[],
  { stdout, stderr, ...others }: ProcessContext,
): Promise<number> {
  const context: CliContext = { ...others, stdout: outputOn(stdout), stderr: outputOn(stderr) };
  const { signal } = context;
  try {
    await createProgram(context).parseAsync(words, { from: 'user' });
    return success;
  } catch (problem) {
    if (problem instanceof CommanderError) return problem.exitCode === success ? success : wrongUsage;
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    const interrupted = reason instanceof Interrupted ? reason : undefined;
    const message = interrupted?.message ?? messageFor(problem);
    if (message !== '') context.stderr.write(`${message}\n`);
    return interrupted?.exitCode ?? exitCodeOf(problem);
  }
}

function createProgram(context: CliContext): Command {
  const program = new Command(cliCommand)
    .description('Manage users, keys and data of the Academic Structure Service; works while the service runs.')
    .version(version)
    .option('--json', 'machine-readable output; for records the default unless printed to a terminal')
    .option('--no-json', 'tables for people, wherever they are printed to')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    // Throws instead of exiting: resources must be closed first.
    .exitOverride();
  addUserCommands(program, context);
  addKeyCommands(program, context);
  addImportCommand(program, context);
  addExportCommand(program, context);
  addAttributesCommand(program, context);
  addEditionsCommand(program, context);
  addCompareCommand(program, context);
  addChangesCommand(program, context);
  addNotesCommand(program, context);
  addAuditCommand(program, context);
  addBackupCommands(program, context);
  addDatabaseCommand(program, context);
  addMigrateCommand(program, context);
  addCheckCommand(program, context);
  return program;
}
