import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { makeKey } from '../support/keys.ts';
import { startTwoServers, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

let database: TestDatabase;
let here: TestServer;
let there: TestServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({
    database,
    servers: [here, there],
    close,
  } = await startTwoServers());
});
afterAll(() => close());

const status = async (key: string, path = '/ping') => (await there.rest('get', path, key)).status;
/** Within a second (`docs/contract.md` 3), however often the other instance is asked meanwhile. */
const soon = { timeout: 1_000, interval: 5 };

async function knownKey(fields: Parameters<typeof makeKey>[1]): Promise<{ key: string; id: number }> {
  const key = await makeKey(database, fields);
  const [row] = await database.query('SELECT max(id)::int AS id FROM api_keys');
  expect(await status(key)).toBe(200);
  expect(await status(key)).toBe(200);
  return { key, id: Number(row?.['id']) };
}

describe('what one instance changes is in force at the other within a second:', () => {
  it('a key revoked', async () => {
    const { key, id } = await knownKey({ user: 'revoked' });
    await here.graphql(`mutation { revokeApiKey(id: ${id}) { id } }`);
    await expect.poll(() => status(key), soon).toBe(401);
  });

  it('a key rotated away', async () => {
    const { key, id } = await knownKey({ user: 'rotated' });
    await here.graphql(`mutation { rotateApiKey(id: ${id}) { key } }`);
    await expect.poll(() => status(key), soon).toBe(401);
  });

  it('a user disabled', async () => {
    const { key } = await knownKey({ user: 'disabled', role: 'viewer' });
    expect(await status(key, '/api/academics/programs')).toBe(200);
    await here.graphql('mutation { updateUser(name: "disabled", disabled: true) { id } }');
    await expect.poll(() => status(key, '/api/academics/programs'), soon).toBe(401);
  });

  it('a role changed', async () => {
    const { key } = await knownKey({ user: 'demoted', role: 'viewer' });
    expect(await status(key, '/api/academics/programs')).toBe(200);
    await here.graphql('mutation { updateUser(name: "demoted", role: guest) { id } }');
    await expect.poll(() => status(key, '/api/academics/programs'), soon).toBe(403);
  });

  it('a key made that was unknown before', async () => {
    const key = await makeKey(database, { user: 'late' });
    await database.query(
      "UPDATE api_keys SET hash = hash || '\\x00' WHERE user_id = (SELECT id FROM users WHERE name = 'late')",
    );
    expect(await status(key)).toBe(401);
    await database.query(
      "UPDATE api_keys SET hash = substring(hash FOR 32) WHERE user_id = (SELECT id FROM users WHERE name = 'late')",
    );
    await expect.poll(() => status(key), soon).toBe(200);
  });

  it('a key revoked by hand, in psql', async () => {
    const { key, id } = await knownKey({ user: 'by hand' });
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await expect.poll(() => status(key), soon).toBe(401);
  });
});

describe('a remembered key', () => {
  it('takes no query, and neither does one that is known to be wrong', async () => {
    const { key } = await knownKey({ user: 'warm' });
    await status('no-such-key');
    const asked = async () => {
      there.statements.length = 0;
      expect(await status(key)).toBe(200);
      expect(await status('no-such-key')).toBe(401);
      expect(await status(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBe(401);
      return there.statements;
    };

    // While a busy machine is late in asking for changes, nothing that is remembered counts.
    await expect.poll(asked, { timeout: 10_000 }).toEqual([]);
  });

  it('is looked up again while nobody knows what has changed', async () => {
    const { key, id } = await knownKey({ user: 'deaf' });
    // Nobody can ask what has changed; and the change that follows is not logged.
    const held = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    await database.query('ALTER TABLE api_keys DISABLE TRIGGER USER');
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await database.query('ALTER TABLE api_keys ENABLE TRIGGER USER');

    await expect.poll(() => status(key), soon).toBe(401);
    await held.release();
  });

  it('is noted as used, to the minute, without a notice to anyone', async () => {
    const { id } = await knownKey({ user: 'noted' });
    const lastUsed = async () => {
      const [row] = await database.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id]);
      return row?.['last_used_at'];
    };

    await expect.poll(lastUsed, { timeout: 10_000 }).toBeInstanceOf(Date);
    expect(new Date(String(await lastUsed())).getSeconds()).toBe(0);
  });
});
