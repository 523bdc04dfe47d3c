import type { Command } from 'commander';
import { type KeyKind, type KeyState, keyState } from '../../accounts/keys/api-key.ts';
import { changeKey, rotateKey } from '../../accounts/keys/change-keys.ts';
import { listKeys } from '../../accounts/keys/key-list.ts';
import { createKey, revokeKey, type StoredKey } from '../../accounts/keys/keys.ts';
import { signInSoonMs } from '../../accounts/keys/sign-in-end.ts';
import { findOrAddUser } from '../../accounts/users.ts';
import { databaseNow } from '../../database/locks.ts';
import type { Role } from '../../validation/permissions.ts';
import {
  kindOption,
  type OutputOptions,
  parseDurationArgument,
  parseId,
  parseKeyName,
  parseLifetimeArgument,
  parseUserName,
  roleOption,
  stateOption,
} from '../arguments.ts';
import { actor, type CliContext, print, printJson, withDatabase } from '../cli-context.ts';

/** A key as printed, without its secret; `now` is by the clock of the database. */
const shown = (key: StoredKey, now: Date) => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  user: key.user.name,
  kind: key.kind,
  readOnly: key.readOnly,
  madeWith: key.madeWith,
  state: keyState(key, now),
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  lastUsedAt: key.lastUsedAt,
});

/** Keys that expire sooner are marked, so that their holders know. */
const soonMs = 7 * 86_400_000;
function tellOfExpiry({ stderr }: CliContext, found: readonly StoredKey[], now: Date): void {
  const isWithin = (end: Date | null, ms: number): boolean => end !== null && end.getTime() < now.getTime() + ms;
  for (const key of found.filter((each) => each.kind === 'key' && keyState(each, now) === 'active')) {
    const title = `Key ${key.id}${key.name === '' ? '' : ` (${key.name})`} of ${key.user.name}`;
    if (isWithin(key.expiresAt, soonMs))
      stderr.write(`${title} expires ${key.expiresAt?.toISOString()}: prolong or replace it.\n`);
    if (isWithin(key.signInUntil, signInSoonMs))
      stderr.write(`${title} ends ${key.signInUntil?.toISOString()} unless its user signs in again.\n`);
  }
}

interface CreateOptions {
  readonly user: string;
  readonly role?: Role;
  readonly name?: string;
  readonly expires?: number;
  readonly readOnly?: boolean;
}

export function addKeyCommands(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('manage API keys');
  addCreate(keys, context);
  addRotate(keys, context);
  addUpdate(keys, context);
  addList(keys, context);

  keys
    .command('revoke')
    .description('revoke a key, permanently, with all keys and sessions that were made with it')
    .argument('<id>', 'id of the key', parseId)
    .action(async (id: number, _options: object, command: Command) => {
      const { record, revokedWith } = await withDatabase(context, (db) =>
        db.$transaction(async (tx) => {
          const { key, revokedWith } = await revokeKey(tx, actor, id);
          return { record: shown(key, await databaseNow(tx)), revokedWith };
        }),
      );
      print(context, { ...record, revokedWith: revokedWith.map((key) => key.id) }, command.optsWithGlobals());
      for (const { id: madeId, kind, name, user } of revokedWith) {
        const title = name === '' ? '' : ` (${name})`;
        context.stderr.write(
          `The ${kind} ${madeId}${title} of ${user.name}, which was made with it, is revoked too.\n`,
        );
      }
    });
}

interface ListOptions {
  readonly user?: string;
  readonly kind?: KeyKind;
  readonly state?: KeyState;
  readonly expiresWithin?: number;
  readonly unusedFor?: number;
}

function addList(keys: Command, context: CliContext): void {
  keys
    .command('list')
    .description('list keys, without their secrets')
    .option('--user <name>', 'only the keys of this user', parseUserName)
    .addOption(kindOption('only keys, or only sessions'))
    .addOption(stateOption('only keys in this state'))
    .option('--expires-within <duration>', 'only keys that expire within this time, such as 30d', parseDurationArgument)
    .option('--unused-for <duration>', 'only keys that were not used for this time, such as 90d', parseDurationArgument)
    .action(async ({ user, kind, state, expiresWithin, unusedFor }: ListOptions, command: Command) => {
      const records = await withDatabase(context, async (db) => {
        const now = await databaseNow(db);
        const found = await listKeys(db, {
          user,
          kind,
          state,
          expiresBefore: expiresWithin === undefined ? undefined : new Date(now.getTime() + expiresWithin),
          unusedSince: unusedFor === undefined ? undefined : new Date(now.getTime() - unusedFor),
        });
        tellOfExpiry(context, found, now);
        return found.map((key) => shown(key, now));
      });
      print(context, records, command.optsWithGlobals());
    });
}

interface UpdateOptions {
  readonly name?: string;
  readonly expires?: number;
}

function addUpdate(keys: Command, context: CliContext): void {
  keys
    .command('update')
    .description('change the name of a key, or when it expires')
    .argument('<id>', 'id of the key', parseId)
    .option('--name <text>', 'new purpose of the key', parseKeyName)
    .option(
      '--expires <duration>',
      'new lifetime of an active key, from now on: such as 90d, or never',
      parseLifetimeArgument,
    )
    .action(async (id: number, { name, expires }: UpdateOptions, command: Command) => {
      const record = await withDatabase(context, (db) =>
        db.$transaction(async (tx) => {
          const key = await changeKey(tx, actor, id, { name, expiry: expires });
          return shown(key, await databaseNow(tx));
        }),
      );
      print(context, record, command.optsWithGlobals());
    });
}

function addCreate(keys: Command, context: CliContext): void {
  keys
    .command('create')
    .description('create a key and print it to standard output; it cannot be shown again')
    .requiredOption('--user <name>', 'user of the key', parseUserName)
    .addOption(roleOption('create the user with this role if they do not exist; an existing user must have this role'))
    .option('--name <text>', 'purpose of the key', parseKeyName)
    .option(
      '--expires <duration>',
      'lifetime: a number and s, m, h or d, such as 90d (default: never)',
      parseLifetimeArgument,
    )
    .option('--read-only', 'do not permit changes, whatever the role (default for viewers and guests)')
    .option('--no-read-only', 'permit what the role permits (default for editors and administrators)')
    .action(async ({ user: userName, role, name, expires, readOnly }: CreateOptions, command: Command) => {
      const { key, secret } = await withDatabase(context, (db) =>
        db.$transaction(async (tx) => {
          const user = await findOrAddUser(tx, actor, userName, role);
          return createKey(tx, actor, user, {
            ...(name !== undefined && { name }),
            ...(expires !== undefined && { expiry: expires }),
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
    .description('create a key that replaces another, and print it as `create` does')
    .argument('<id>', 'id of the key to replace', parseId)
    .option(
      '--overlap <duration>',
      'how long the old key remains valid, such as 24h (default: it is revoked)',
      parseDurationArgument,
    )
    .action(async (id: number, { overlap = 0 }: { overlap?: number }, command: Command) => {
      const { key, secret, replaced } = await withDatabase(context, (db) =>
        db.$transaction((tx) => rotateKey(tx, actor, id, overlap)),
      );
      const { createdAt: now } = key;
      const record = { ...shown(key, now), key: secret, replaced: shown(replaced, now) };
      showSecret(context, secret, key, record, isJson(command));
      const status =
        replaced.revokedAt === null ? `remains valid until ${replaced.expiresAt?.toISOString()}` : 'is revoked';
      context.stderr.write(`Key ${id} ${status}.\n`);
    });
}

const isJson = (command: Command): boolean => command.optsWithGlobals<OutputOptions>().json === true;

/** Prints the secret alone to standard output, for scripts, and the rest to standard error. */
function showSecret(context: CliContext, secret: string, key: StoredKey, record: object, json: boolean): void {
  if (json) printJson(context, record);
  else context.stdout.write(`${secret}\n`);
  const expiry = key.expiresAt === null ? 'never expires' : `expires ${key.expiresAt.toISOString()}`;
  context.stderr.write(`Key ${key.id} of ${key.user.name} (${key.user.role}) ${expiry}. It cannot be shown again.\n`);
  if (key.user.disabled)
    context.stderr.write(`User ${key.user.name} is disabled: the key is inactive until the user is enabled.\n`);
}
