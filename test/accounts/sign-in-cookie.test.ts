import { hash } from 'node:crypto';
import { EncryptJWT } from 'jose';
import { expect, test } from 'vitest';
import { openProvider } from '../../src/accounts/sessions/open-provider.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const begun = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console' };

/** A public client has no secret: all of this is in the address of a sign-in. */
const settings = {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'console',
  OIDC_SCOPES: 'openid',
  JWT_ROLES_CLAIM: 'roles',
  PUBLIC_URL: 'https://catalog.example.edu',
};
const cookieOf = (content: readonly unknown[]): Promise<string> =>
  new EncryptJWT(begun)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('5m')
    .encrypt(hash('sha256', JSON.stringify(content), 'buffer'));

test('the cookie of a sign-in is encrypted with a secret of the database, which nobody outside can guess', async () => {
  const db = openDatabase({ url: database.url });
  const provider = await openProvider(settings, db, () => undefined);
  const client = [settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID];
  const [row] = await database.query('SELECT value FROM sign_in_secret');
  expect(row?.['value']).toMatch(/^[0-9a-f-]{72}$/);

  expect(await provider?.readBegun(await cookieOf([...client, row?.['value']]))).toEqual(begun);
  for (const guessed of [client, [...client, undefined], [...client, '']]) {
    await expect(provider?.readBegun(await cookieOf(guessed))).rejects.toMatchObject({ name: 'SignInError' });
  }
  await db.$disconnect();
});
