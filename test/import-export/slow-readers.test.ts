import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();
beforeAll(async () => {
  const { id } = await server.make.program();
  await server.database.query(
    `INSERT INTO branches (program_id, name, description, updated_at)
      SELECT $1, 'Branch ' || n, repeat('😀', 2000), now() FROM generate_series(1, 3000) AS n`,
    [id],
  );
});

/** Exports have connections of their own. */
const transfers = async () =>
  (
    await server.database.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE '%(transfer)'`,
    )
  )[0]?.['n'];

const exportLines = (): Record<string, unknown>[] =>
  server.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'export');

describe('an export that is larger than what a connection buffers', () => {
  /** Begins an export, of which nothing is read after its headers. */
  async function begin(key: string): Promise<IncomingMessage> {
    const request = http.get(`${server.url}/export/catalog.csv`, { headers: { 'x-api-key': key } });
    onTestFinished(() => void request.destroy());
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    expect(response.statusCode).toBe(200);
    return response;
  }

  it('ends within a second when its key is revoked', async () => {
    const key = await server.makeKey({ role: 'viewer', user: 'leaver' });
    const response = await begin(key);
    expect(await transfers()).toBe(1);
    await server.database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'leaver'`,
    );

    await within(2_000, async () => expect(await transfers()).toBe(0));
    response.resume();
    await new Promise((resolve) => response.once('close', resolve));
    expect(response.complete).toBe(false);
    expect(exportLines().at(-1)).toMatchObject({ user: 'leaver', outcome: 'access changed' });
  });

  it('ends when nobody reads it', async () => {
    await begin(adminKey);
    expect(await transfers()).toBe(1);

    await within(20_000, async () => expect(await transfers()).toBe(0), 100);
    // It is logged a moment after its statement has ended.
    await within(5_000, async () => expect(exportLines().at(-1)).toMatchObject({ outcome: 'not read' }));
    // Whole: a caller has one export at a time.
    const next = await server.get('/export/catalog.csv?search=none');
    expect([next.status, (await next.text()).split('\n')]).toEqual([200, [expect.any(String), '']]);
    expect(server.logged.filter((line) => /"level":(?:50|40)/.test(line))).toEqual([]);
  });

  it('is whole for a client that pauses now and then', async () => {
    const response = await begin(adminKey);
    let length = 0;
    for await (const part of response) {
      length += (part as Buffer).length;
      await setImmediate();
    }
    expect(length).toBeGreaterThan(24_000_000);
    expect(exportLines().at(-1)).toMatchObject({ outcome: 'sent', bytes: length, records: 3_000 });
  });
});
