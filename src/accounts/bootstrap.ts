import { randomUUID } from 'node:crypto';
import { advisoryLocks, databaseNow } from '../database/locks.ts';
import type { Database, Transaction } from '../database/types.ts';
import { cliCommand } from '../installation.ts';
import type { Actor } from '../operations/caller.ts';
import { actorNames } from './audit/audit.ts';
import { displayPrefixOf, hashApiKey, keyState } from './keys/api-key.ts';
import { createKey, findKey } from './keys/keys.ts';
import { addUser, isActiveAdministrator, wasDeletedWithUser } from './users.ts';

const administrator = 'admin';
const actor: Actor = { name: actorNames.start, keyId: null, requestId: null, changeId: randomUUID() };

/** The key of `BOOTSTRAP_API_KEY` stays invalid once revoked or deleted with its user (`docs/contract.md` 9). */
export async function admitKey(db: Database, given: string): Promise<void> {
  await withLock(db, async (tx) => {
    if ((await findKey(tx, hashApiKey(given))) !== null) return;
    if (await wasDeletedWithUser(tx, displayPrefixOf(given))) return;
    const user = (await findAdministrator(tx)) ?? (await addUser(tx, actor, administrator, 'admin'));
    await createKey(tx, actor, user, { name: 'bootstrap', secret: given });
  });
}

/**
 * Creates the first key if no administrator ever had one and none is configured. Call it last: the key is shown once.
 * @returns a message for the operator: the new key or, while none has ever been used, how to create one.
 */
export async function welcome(db: Database, given: string | undefined): Promise<string | undefined> {
  return withLock(db, async (tx) => {
    if ((await tx.apiKey.count({ where: { ...ofAdministrators, lastUsedAt: { not: null } } })) > 0) return undefined;
    if (given !== undefined) return (await isActiveAdministratorKey(tx, given)) ? undefined : adviceOn(tx);
    const admin = await findAdministrator(tx);
    const canBeFirst = admin === null || isActiveAdministrator(admin);
    if (!canBeFirst || (await hadAdministratorKeys(tx))) return adviceOn(tx);
    const user = admin ?? (await addUser(tx, actor, administrator, 'admin'));
    const { secret } = await createKey(tx, actor, user, { name: 'bootstrap' });
    return `The first administrator's key, shown this once: ${secret}`;
  });
}

const ofAdministrators = { user: { role: 'admin' } };

/** Whether an administrator has, or may have had, a key: keys of deleted users are deleted with them. */
async function hadAdministratorKeys(tx: Transaction): Promise<boolean> {
  return (
    (await tx.apiKey.count({ where: ofAdministrators })) > 0 ||
    (await tx.auditEntry.count({ where: { subject: 'User', action: 'delete' } })) > 0
  );
}

const findAdministrator = (tx: Transaction) => tx.user.findUnique({ where: { name: administrator } });

function withLock<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.bootstrap})`;
    return work(tx);
  });
}

async function isActiveAdministratorKey(tx: Transaction, given: string): Promise<boolean> {
  const key = await findKey(tx, hashApiKey(given));
  return key !== null && isActiveAdministrator(key.user) && keyState(key, await databaseNow(tx)) === 'active';
}

/** Names that need no quoting in a shell. */
const plainName = /^[\w.@-]+$/;

async function adviceOn(tx: Transaction): Promise<string> {
  const active = await tx.user.findMany({ where: { role: 'admin', disabled: false }, orderBy: { id: 'asc' } });
  const { name = 'NAME' } = active.find((user) => plainName.test(user.name)) ?? {};
  const whose = active.length === 0 ? 'NAME --role admin' : name;
  return `No administrator's key has been used yet. This makes one: ${cliCommand} keys create --user ${whose}`;
}
