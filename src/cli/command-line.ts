import { Command, CommanderError } from 'commander';
import { version } from '../observability/version.ts';
import { addBackupCommands } from './backup.ts';
import type { CliContext } from './cli-context.ts';
import { addDatabaseCommand } from './database.ts';
import { exitCodeOf, Interrupted, messageFor } from './errors.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommands } from './keys.ts';
import { addMigrateCommand } from './migrate.ts';
import { type OutputStream, outputOn } from './output.ts';
import { addUserCommands } from './users.ts';

const done = 0;
const wrongUsage = 2;

/** What a command has around it, with the streams as they are. */
export type ProcessSurroundings = Omit<CliContext, 'stdout' | 'stderr'> & {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
};

/**
 * Runs one command.
 *
 * @param words what was typed after `npm run cli --`.
 * @returns the exit code: 0 when it was done, 1 when it failed, 2 when it was typed wrongly, 3 when a file to import
 *   has problems and nothing was imported.
 */
export async function runCommandLine(
  words: readonly string[],
  { stdout, stderr, ...others }: ProcessSurroundings,
): Promise<number> {
  const context: CliContext = { ...others, stdout: outputOn(stdout), stderr: outputOn(stderr) };
  const { signal } = context;
  try {
    await createProgram(context).parseAsync(words, { from: 'user' });
    return done;
  } catch (problem) {
    if (problem instanceof CommanderError) return problem.exitCode === done ? done : wrongUsage;
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    const stopped = reason instanceof Interrupted ? reason : undefined;
    const sentence = stopped?.message ?? messageFor(problem);
    if (sentence !== '') context.stderr.write(`${sentence}\n`);
    return stopped?.exitCode ?? exitCodeOf(problem);
  }
}

function createProgram(context: CliContext): Command {
  const program = new Command('npm run cli --')
    .description('Users, keys and data of the Academic Structure Service; works beside a running service.')
    .version(version)
    .option('--json', 'output for programs, on standard output')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    // Throws instead of ending the process, which has things to close.
    .exitOverride();
  addUserCommands(program, context);
  addKeyCommands(program, context);
  addImportCommand(program, context);
  addExportCommand(program, context);
  addBackupCommands(program, context);
  addDatabaseCommand(program, context);
  addMigrateCommand(program, context);
  return program;
}
