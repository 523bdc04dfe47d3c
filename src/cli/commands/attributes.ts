import type { AnyTransaction } from '@service/postgres/sql';
import { readRows } from '@service/tabular/read-rows';
import { Argument, type Command } from 'commander';
import { type DefinitionInput, definitionInput } from '../../academics/definitions/definition-input.ts';
import { listDefinitions } from '../../academics/definitions/definitions.ts';
import { definitionColumns, definitionsIn, loadDefinitions } from '../../academics/definitions/load-definitions.ts';
import { starterSets } from '../../academics/definitions/starter-sets.ts';
import { problemIn } from '../../validation/problems.ts';
import { actor, type CliContext, print, withDatabase } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';
import { openSource } from '../source.ts';

interface LoadOptions {
  readonly dryRun?: boolean;
}

const dryRunOption = ['--dry-run', 'only say what would be changed'] as const;

export function addAttributesCommand(program: Command, context: CliContext): void {
  const attributes = program
    .command('attributes')
    .description('define attributes: their labels, kinds and choices; definitions change no record');

  attributes
    .command('load')
    .description(
      `define attributes from a file (CSV, JSON or Excel) with a line for each choice, and retire choices that records have and the file lacks; columns: ${definitionColumns.join(', ')}`,
    )
    .argument('<file>', 'its name, or - for CSV from standard input')
    .option(...dryRunOption)
    .action(async (file: string, options: LoadOptions, command: Command) => {
      await load(context, await readInputs(file, context), options, command);
    });

  attributes
    .command('list')
    .description('list all definitions, in the order of forms')
    .action(async (_options: object, command: Command) => {
      print(context, await withDatabase(context, listDefinitions), command.optsWithGlobals());
    });

  attributes
    .command('starter')
    .description('define an attribute to begin with: levels of the EQF, languages of ISO 639-1, stages of a lifecycle')
    .addArgument(new Argument('<set>', 'which one').choices(Object.keys(starterSets)))
    .option(...dryRunOption)
    .action(async (name: keyof typeof starterSets, options: LoadOptions, command: Command) => {
      await load(context, [validated(starterSets[name])], options, command);
    });
}

/** Rolls back what a dry run has tried. */
class DryRun extends Error {}

async function load(
  context: CliContext,
  inputs: readonly DefinitionInput[],
  { dryRun = false }: LoadOptions,
  command: Command,
): Promise<void> {
  let loaded: object[] = [];
  const work = async (tx: AnyTransaction): Promise<void> => {
    loaded = await loadDefinitions(tx, actor, inputs);
    if (dryRun) throw new DryRun();
  };
  await withDatabase(context, (db) => db.$transaction(work)).catch((problem: unknown) => {
    if (!(problem instanceof DryRun)) throw problem;
  });
  print(context, loaded, command.optsWithGlobals());
}

/** @throws CommandFailure for a file that cannot be read or has lines that are not valid. */
async function readInputs(file: string, context: CliContext): Promise<DefinitionInput[]> {
  const { format, bytes } = await openSource(file, context);
  const rows: Record<string, string>[] = [];
  const nothing = (): void => undefined;
  const source = readRows(bytes, {
    ...{
      format,
      delimiter: undefined,
      encoding: undefined,
      sheet: undefined,
      mapping: new Map(),
      signal: context.signal,
    },
    ...{ onHeader: nothing, onIgnored: nothing, onEncoding: nothing, onSheet: nothing },
    columns: { known: definitionColumns, required: ['key'] },
  });
  for await (const row of source) {
    if ('unreadable' in row) throw new CommandFailure(`Line ${row.line}: ${row.unreadable.message}`);
    rows.push(
      Object.fromEntries(Object.entries(row.cells).map(([column, cell]) => [column, String(cell ?? '').trim()])),
    );
  }
  return definitionsIn(rows).map(validated);
}

/** @throws CommandFailure that names the attribute. */
function validated(given: { readonly key: string }): DefinitionInput {
  const { data, error } = definitionInput.safeParse(given);
  if (data !== undefined) return data;
  throw new CommandFailure(error.issues.map(({ message }) => `${given.key}: ${problemIn(message).message}`).join('\n'));
}
