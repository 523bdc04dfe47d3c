import type { Database, Transaction } from '../../database/types.ts';
import { type ApiKey, Prisma, type User } from '../../generated/prisma/client.ts';

// Keys that people of an identity provider make for themselves end with their account there: they work while the last
// sign-in is younger than `OWN_KEYS_SIGN_IN_DAYS` (`docs/contract.md` 3). The end is stored with each key, so that it is
// checked where the expiry is.

/** The person whose sign-ins a key needs, and its end without another one; both `null` for a key that needs none. */
export type SignInEnd = Pick<ApiKey, 'signInOf' | 'signInUntil'>;
export const noSignInEnd: SignInEnd = { signInOf: null, signInUntil: null };

const dayMs = 86_400_000;
/** People are warned so long before their keys end. */
export const signInSoonMs = 14 * dayMs;

/** The end of a key that a user makes for themselves; none for somebody who has never signed in at the provider. */
export function signInEndOf({ id, signedInAt }: User, days: number): SignInEnd {
  if (signedInAt === null) return noSignInEnd;
  return { signInOf: id, signInUntil: days === 0 ? null : new Date(signedInAt.getTime() + days * dayMs) };
}

/** Notes a sign-in at the provider, which revives the keys that need it. */
export async function noteSignIn(tx: Transaction, id: number, at: Date, days: number): Promise<User> {
  const user = await tx.user.update({ where: { id }, data: { signedInAt: at } });
  const { signInUntil } = signInEndOf(user, days);
  await tx.apiKey.updateMany({ where: { signInOf: id }, data: { signInUntil } });
  return user;
}

/** Computes the ends again, at the start: the number of days may be another one. */
export async function applySignInDays(db: Database, days: number): Promise<void> {
  const due = Prisma.sql`(
    SELECT id AS person, CASE WHEN ${days}::int > 0 THEN signed_in_at + ${days}::int * interval '24 hours' END AS until
    FROM users) AS due`;
  const isDue = Prisma.sql`person = sign_in_of AND sign_in_until IS DISTINCT FROM until`;
  // An update, even of no key, drops the cached keys of all instances.
  const [found] = await db.$queryRaw<object[]>`SELECT FROM api_keys, ${due} WHERE ${isDue} LIMIT 1`;
  if (found !== undefined) await db.$executeRaw`UPDATE api_keys SET sign_in_until = until FROM ${due} WHERE ${isDue}`;
}

/** Counts keys that end soon unless their person signs in, by the name of that person. */
export const dueSignIns = `SELECT users.name, count(*)::int AS count FROM api_keys JOIN users ON users.id = sign_in_of
  WHERE kind = 'key' AND revoked_at IS NULL AND coalesce(expires_at > now(), true)
    AND sign_in_until BETWEEN now() AND now() + interval '${signInSoonMs} ms'
  GROUP BY users.name ORDER BY users.name`;
