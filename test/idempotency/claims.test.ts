import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
import { claimKey, claimOf, saveOutcome } from '../../src/operations/idempotency.ts';
import { KeptOutcomes } from '../../src/operations/kept-outcomes.ts';
import { useDatabase } from '../support/database.ts';

const claim = claimOf({ owner: 'Ada', endpoint: 'POST /programs', key: 'a-key', body: { name: 'Physics' } });
const kept = new KeptOutcomes();

const database = useDatabase();
let db: Database;
beforeAll(async () => {
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
});

describe('a claim', () => {
  it('is rejected for the second caller, in the same transaction too', async () => {
    const twice = await db.$transaction((tx) => Promise.all([claimKey(tx, claim, kept), claimKey(tx, claim, kept)]));

    expect(twice).toEqual([undefined, { error: expect.objectContaining({ code: 'CONFLICT' }) }]);
  });
});

describe('a record of an outcome', () => {
  it('is never stored twice, even by a transaction that does not see the first', async () => {
    const late = db.$transaction(async (tx) => {
      expect(await claimKey(tx, claim, kept)).toBeUndefined();
      await saveOutcome(db, { claim, outcome: '"first"' }, kept);
      await saveOutcome(tx, { claim, outcome: '"second"' }, kept);
    });

    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await db.$transaction((tx) => claimKey(tx, claim, kept))).toEqual({ outcome: '"first"' });
  });

  it('contains neither the key nor the user nor the body', async () => {
    const [record] = await database.query(`SELECT encode(id, 'escape') || encode(fingerprint, 'escape') AS text
      FROM idempotency_records`);

    expect(record?.['text']).not.toMatch(/Ada|a-key|Physics/);
  });
});
