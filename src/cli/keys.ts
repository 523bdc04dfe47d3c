import type { Command } from 'commander';
import { createKey, findOrAddUser, listKeys, revokeKey, rotateKey, type StoredKey, stateOf } from '../auth/accounts.ts';
import type { Role } from '../auth/permissions.ts';
import { databaseNow } from '../database/connection/clock.ts';
import { actor } from './actor.ts';
import {
  type OutputOptions,
  parseDurationArgument,
  parseExpiry,
  parseId,
  parseKeyName,
  parseUserName,
  roleOption,
} from './arguments.ts';
import { type CliContext, print, withDatabase } from './cli-context.ts';

/** A key as the command line shows it (`docs/contract.md` 9), at a moment of the database's clock: never its secret. */
const shown = (key: StoredKey, now: Date) => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  user: key.user.name,
  readOnly: key.readOnly,
  state: stateOf(key, now),
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  lastUsedAt: key.lastUsedAt,
});

interface CreateOptions {
  readonly user: string;
  readonly role?: Role;
  readonly name?: string;
  readonly expires?: number;
  readonly readOnly?: boolean;
}

/** Adds the commands for keys. */
export function addKeyCommands(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('API keys of users');
  addCreate(keys, context);
  addRotate(keys, context);

  keys
    .command('list')
    .description('list keys, never their secrets')
    .option('--user <name>', 'only the keys of this user', parseUserName)
    .action(async ({ user }: { user?: string }, command: Command) => {
      const records = await withDatabase(context, async (db) => {
        const keys = await listKeys(db, user);
        const now = await databaseNow(db);
        return keys.map((key) => shown(key, now));
      });
      print(context, records, isJson(command));
    });

  keys
    .command('revoke')
    .description('make a key stop working, for ever')
    .argument('<id>', 'id of the key', parseId)
    .action(async (id: number, _options: object, command: Command) => {
      const record = await withDatabase(context, (db) =>
        db.$transaction(async (tx) => shown(await revokeKey(tx, actor, id), await databaseNow(tx))),
      );
      print(context, record, isJson(command));
    });
}

function addCreate(keys: Command, context: CliContext): void {
  keys
    .command('create')
    .description('make a key and print it, this once, alone on standard output')
    .requiredOption('--user <name>', 'whose key it is', parseUserName)
    .addOption(roleOption('adds the user with this role when there is none; else it must be their role'))
    .option('--name <text>', 'what the key is for', parseKeyName)
    .option('--expires <duration>', 'when it stops working: a number and s, m, h or d, such as 90d', parseExpiry)
    .option('--read-only', 'whatever the user may do, the key changes nothing')
    .action(async ({ user: userName, role, name, expires, readOnly }: CreateOptions, command: Command) => {
      const { key, secret } = await withDatabase(context, (db) =>
        db.$transaction(async (tx) => {
          const user = await findOrAddUser(tx, actor, userName, role);
          return createKey(tx, actor, user, {
            ...(name !== undefined && { name }),
            ...(expires !== undefined && { lifetimeMs: expires }),
            ...(readOnly !== undefined && { readOnly }),
          });
        }),
      );
      showSecret(context, secret, key, { ...shown(key, key.createdAt), key: secret }, isJson(command));
    });
}

function addRotate(keys: Command, context: CliContext): void {
  keys
    .command('rotate')
    .description('make a key to take the place of another, and print it like `create`')
    .argument('<id>', 'id of the key to replace', parseId)
    .requiredOption('--overlap <duration>', 'how long the old key goes on working, such as 24h', parseDurationArgument)
    .action(async (id: number, { overlap }: { overlap: number }, command: Command) => {
      const { key, secret, replaced } = await withDatabase(context, (db) =>
        db.$transaction((tx) => rotateKey(tx, actor, id, overlap)),
      );
      const { createdAt: now } = key;
      const record = { ...shown(key, now), key: secret, replaced: shown(replaced, now) };
      showSecret(context, secret, key, record, isJson(command));
      const end = replaced.revokedAt === null ? `works until ${replaced.expiresAt?.toISOString()}` : 'is revoked';
      context.stderr.write(`Key ${id} ${end}.\n`);
    });
}

const isJson = (command: Command): boolean => command.optsWithGlobals<OutputOptions>().json === true;

/** The secret goes alone to standard output, so that a script can keep it; all that is said of it to standard error. */
function showSecret(context: CliContext, secret: string, key: StoredKey, record: object, json: boolean): void {
  if (json) print(context, record, true);
  else context.stdout.write(`${secret}\n`);
  const end = key.expiresAt === null ? 'never expires' : `expires ${key.expiresAt.toISOString()}`;
  context.stderr.write(`Key ${key.id} of ${key.user.name} (${key.user.role}) ${end}. It is shown this once.\n`);
  if (key.user.disabled) context.stderr.write(`User ${key.user.name} is disabled: the key opens nothing yet.\n`);
}
