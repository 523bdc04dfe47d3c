import type { Command } from 'commander';
import { deleteEdition, listEditions, verifyEditions } from '../../academics/editions/editions.ts';
import { freezeEdition } from '../../academics/editions/freeze.ts';
import { withStartupConnection } from '../../database/open-postgres.ts';
import { parseEditionName } from '../arguments.ts';
import { actor, type CliContext, print, withDatabase, withPostgres } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';

export function addEditionsCommand(program: Command, context: CliContext): void {
  const { signal } = context;
  const editions = program
    .command('editions')
    .description('manage editions: the catalog as it was frozen, with a checksum; `export --edition` writes one');

  editions
    .command('create')
    .description('freeze the catalog as it is')
    .argument('<name>', 'a name, such as 2026/27', parseEditionName)
    .option('--note <text>', 'what it is for', '')
    .action(async (name: string, { note }: { readonly note: string }, command: Command) => {
      const edition = await withDatabase(context, (db) =>
        db.$transaction((tx) => freezeEdition(tx, actor, { name, note })),
      );
      print(context, edition, command.optsWithGlobals());
    });

  editions
    .command('list')
    .description('list all editions, newest first')
    .action(async (_options: object, command: Command) => {
      print(context, await withDatabase(context, listEditions), command.optsWithGlobals());
    });

  editions
    .command('verify')
    .description('compare the bytes of editions with their checksums; exit code 1 when one differs')
    .argument('[name]', 'only this one', parseEditionName)
    .action(async (name: string | undefined, _options: object, command: Command) => {
      const verified = await withDatabase(context, (db) => verifyEditions(db, name));
      print(context, verified, command.optsWithGlobals());
      const damaged = verified.filter(({ intact }) => !intact);
      if (damaged.length > 0) throw new CommandFailure(`${damaged.length} of ${verified.length} editions are damaged.`);
    });

  editions
    .command('delete')
    .description('delete an edition for good; the audit log has an entry of it')
    .argument('<name>', 'its name', parseEditionName)
    .action(async (name: string, _options: object, command: Command) => {
      await withPostgres(context, (url) =>
        withStartupConnection(url, (client) => deleteEdition(client, actor, name), { signal }),
      );
      print(context, { name, deleted: true }, command.optsWithGlobals());
    });
}
