import type { Actor } from '../database/audit.ts';
import type { Database } from '../database/client.ts';
import { addUser, createKey, findKey } from './accounts.ts';
import { hashApiKey } from './api-key.ts';

/** The user that the first key belongs to. */
const administrator = 'admin';
const actor: Actor = { name: 'start', keyId: null, requestId: null };
/** One number for all instances: whoever holds this lock makes the first key, the others find it. Spells `uas2`. */
const lockKey = 0x75_61_73_32;

/**
 * Makes sure that an administrator can come in (`contract.md` 9): makes the given key valid if it is not
 * yet known (once revoked, it stays revoked), or makes one if no administrator has ever had a key.
 *
 * @returns the key that was made and must be shown now, or `undefined` when there is none to show.
 */
export async function bootstrap(db: Database, given: string | undefined): Promise<string | undefined> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${lockKey})`;
    const known =
      given === undefined
        ? (await tx.apiKey.count({ where: { user: { role: 'admin' } } })) > 0
        : (await findKey(tx, hashApiKey(given))) !== null;
    if (known) return undefined;
    const user =
      (await tx.user.findUnique({ where: { name: administrator } })) ??
      (await addUser(tx, actor, administrator, 'admin'));
    const { secret } = await createKey(tx, actor, user, {
      name: 'bootstrap',
      ...(given !== undefined && { secret: given }),
    });
    return given === undefined ? secret : undefined;
  });
}
