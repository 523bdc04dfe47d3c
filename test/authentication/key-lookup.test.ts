import { openPool } from '@service/postgres/pool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKeyAsText } from '../../src/accounts/keys/api-key.ts';
import { createKeyReader, type KeyLookup } from '../../src/accounts/keys/key-lookup.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
import { makeKey } from '../support/credentials/keys.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
let db: Database;
let statements = 0;
let onStatement: () => void = () => undefined;
beforeAll(async () => {
  const count = () => {
    statements += 1;
    onStatement();
  };
  db = openDatabase({ url: database.url, pool: openPool(database.url), onStatement: count });
});
afterAll(async () => {
  await db.$disconnect();
});

const madeUp = Array.from({ length: 40 }, (_, index) => hashApiKeyAsText(`guess ${index}`));
const unknown = { isValid: false, problem: 'unknown' };

describe('lookups of keys', () => {
  it('that arrive while one is in flight share the next statement, each with its own result', async () => {
    const readKey = createKeyReader(db);
    const hash = hashApiKeyAsText(await makeKey(database, { user: 'ada' }));
    const revoked = hashApiKeyAsText(await makeKey(database, { user: 'grace', revokedAt: new Date() }));
    statements = 0;
    let others: Promise<KeyLookup[]> = Promise.resolve([]);
    onStatement = () => {
      onStatement = () => undefined;
      others = Promise.all([...madeUp, hash, revoked].map(readKey));
    };

    expect(await readKey(hash)).toMatchObject({ isValid: true, caller: { name: 'ada' } });
    expect(await others).toMatchObject([
      ...madeUp.map(() => unknown),
      { isValid: true, caller: { name: 'ada' } },
      { isValid: false, problem: 'revoked' },
    ]);
    expect(statements).toBe(2);
  });

  it('wait for a slow one a moment only', async () => {
    const readKey = createKeyReader(db);
    const locked = openPool(database.url, { max: 1 });
    const holder = await locked.connect();
    await holder.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const sent = new Promise<void>((resolve) => {
      onStatement = resolve;
    });
    const first = readKey(madeUp[0] ?? '').catch(() => unknown);
    await sent;
    const second = new Promise<void>((resolve) => {
      onStatement = resolve;
    });
    const later = readKey(madeUp[1] ?? '').catch(() => unknown);

    // Sent, though the first has no response yet.
    await second;
    await holder.query('ROLLBACK');
    holder.release();
    expect([await first, await later]).toMatchObject([unknown, unknown]);
    await locked.end();
  });
});
