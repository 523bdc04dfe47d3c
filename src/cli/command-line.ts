import { Command, CommanderError } from 'commander';
import { version } from '../operations/version.ts';
import { addBackupCommands } from './backup.ts';
import { addDatabaseCommand } from './database.ts';
import { addExportCommand } from './export.ts';
import { exitCodeOf, Stopped, sentenceFor } from './failure.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommands } from './keys.ts';
import { addMigrateCommand } from './migrate.ts';
import { type OutputStream, outputOn } from './output.ts';
import type { Surroundings } from './surroundings.ts';
import { addUserCommands } from './users.ts';

const done = 0;
const wrongUsage = 2;

/** What a command has around it, with the streams as they are. */
export type ProcessSurroundings = Omit<Surroundings, 'stdout' | 'stderr'> & {
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
  const surroundings: Surroundings = { ...others, stdout: outputOn(stdout), stderr: outputOn(stderr) };
  const { signal } = surroundings;
  try {
    await createProgram(surroundings).parseAsync(words, { from: 'user' });
    return done;
  } catch (problem) {
    if (problem instanceof CommanderError) return problem.exitCode === done ? done : wrongUsage;
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    const stopped = reason instanceof Stopped ? reason : undefined;
    const sentence = stopped?.message ?? sentenceFor(problem);
    if (sentence !== '') surroundings.stderr.write(`${sentence}\n`);
    return stopped?.exitCode ?? exitCodeOf(problem);
  }
}

function createProgram(surroundings: Surroundings): Command {
  const program = new Command('npm run cli --')
    .description('Users, keys and data of the Academic Structure Service; works beside a running service.')
    .version(version)
    .option('--json', 'output for programs, on standard output')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    })
    // Throws instead of ending the process, which has things to close.
    .exitOverride();
  addUserCommands(program, surroundings);
  addKeyCommands(program, surroundings);
  addImportCommand(program, surroundings);
  addExportCommand(program, surroundings);
  addBackupCommands(program, surroundings);
  addDatabaseCommand(program, surroundings);
  addMigrateCommand(program, surroundings);
  return program;
}
