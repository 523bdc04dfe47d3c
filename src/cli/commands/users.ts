import type { Command } from 'commander';
import { moveIdentity } from '../../accounts/sessions/identities.ts';
import { addUser, allUsers, changeUser, deleteUser } from '../../accounts/users.ts';
import type { Transaction } from '../../database/types.ts';
import type { User } from '../../generated/prisma/client.ts';
import type { Role } from '../../validation/permissions.ts';
import { parseUserName, roleArgument, roleOption } from '../arguments.ts';
import { actor, type CliContext, print, withDatabase } from '../cli-context.ts';

const shown = ({ id, name, role, disabled, createdAt }: User) => ({ id, name, role, disabled, createdAt });

export function addUserCommands(program: Command, context: CliContext): void {
  const users = program.command('users').description('manage users');

  const change = async (command: Command, work: (tx: Transaction) => Promise<User>): Promise<void> => {
    const user = await withDatabase(context, (db) => db.$transaction(work));
    print(context, shown(user), command.optsWithGlobals());
  };

  users
    .command('add')
    .description('add a user')
    .argument('<name>', 'name of the user', parseUserName)
    .addOption(roleOption('role of the user').makeOptionMandatory())
    .action((name: string, { role }: { role: Role }, command: Command) =>
      change(command, (tx) => addUser(tx, actor, name, role)),
    );

  users
    .command('list')
    .description('list all users')
    .action(async (_options: object, command: Command) => {
      const all = await withDatabase(context, allUsers);
      print(context, all.map(shown), command.optsWithGlobals());
    });

  users
    .command('role')
    .description('change the role of a user')
    .argument('<name>', 'name of the user', parseUserName)
    .addArgument(roleArgument())
    .action((name: string, role: Role, _options: object, command: Command) =>
      change(command, (tx) => changeUser(tx, actor, { name }, { role })),
    );

  users
    .command('rename')
    .description('rename a user; older entries of the audit log keep the old name')
    .argument('<name>', 'name of the user', parseUserName)
    .argument('<new-name>', 'new name', parseUserName)
    .action((name: string, newName: string, _options: object, command: Command) =>
      change(command, (tx) => changeUser(tx, actor, { name }, { name: newName })),
    );

  for (const [name, disabled, about] of [
    ['disable', true, 'disable a user: their keys and tokens stop working'],
    ['enable', false, 'enable a disabled user'],
  ] as const) {
    users
      .command(name)
      .description(about)
      .argument('<name>', 'name of the user', parseUserName)
      .action((name: string, _options: object, command: Command) =>
        change(command, (tx) => changeUser(tx, actor, { name }, { disabled })),
      );
  }

  users
    .command('move-identity')
    .description('let the person who signs in as one user at the identity provider sign in as another from now on')
    .argument('<from>', 'name of the user who has the identity', parseUserName)
    .argument('<to>', 'name of the user who gets it', parseUserName)
    .action((from: string, to: string, _options: object, command: Command) =>
      change(command, (tx) => moveIdentity(tx, actor, { name: from }, { name: to })),
    );

  users
    .command('delete')
    .description('delete a user who has no active key; the audit log keeps the name')
    .argument('<name>', 'name of the user', parseUserName)
    .action((name: string, _options: object, command: Command) =>
      change(command, (tx) => deleteUser(tx, actor, { name })),
    );
}
