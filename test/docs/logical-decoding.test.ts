import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { databaseAt, startSingle } from '../database/outages/replication.ts';
import { serverForTest } from '../support/server.ts';
import { recipes } from './recipes.ts';

const connector = z.object({
  config: z.object({
    'database.user': z.string(),
    'database.dbname': z.string(),
    'plugin.name': z.string(),
    'publication.name': z.string(),
    'slot.name': z.string(),
  }),
});

function recipeIn(language: string): string {
  const recipe = recipes.find((candidate) => candidate.title === 'Debezium' && candidate.language === language);
  if (recipe === undefined) throw new Error(`There is no recipe for Debezium in ${language}.`);
  return recipe.code;
}

const entry = z.object({
  id: z.string(),
  xid: z.string(),
  records: z.string().transform((text) => JSON.parse(text)),
});

/** The rows that messages of pgoutput insert or update, and the id of a row before an update that changes it. */
function rowsOf(messages: readonly Buffer[]) {
  let names: string[] = [];
  return messages.flatMap((message) => {
    let at = 5;
    const integer = (bytes: 1 | 2 | 4): number => {
      at += bytes;
      return message.readIntBE(at - bytes, bytes);
    };
    const text = (): string => {
      const start = at;
      at = message.indexOf(0, start) + 1;
      return message.toString('utf8', start, at - 1);
    };
    const letter = (): string => String.fromCharCode(integer(1));
    const tuple = (): Record<string, string | null> =>
      Object.fromEntries(
        Array.from({ length: integer(2) }, (_, column) => {
          if (letter() !== 't') return [names[column], null];
          const length = integer(4);
          at += length;
          return [names[column], message.toString('utf8', at - length, at)];
        }),
      );
    const kind = String.fromCharCode(message.readUInt8());
    if (kind === 'R') {
      [text(), text(), integer(1)];
      names = Array.from({ length: integer(2) }, () => {
        integer(1);
        const name = text();
        [integer(4), integer(4)];
        return name;
      });
    }
    if (kind === 'D') throw new Error('A deletion is published.');
    if (kind !== 'I' && kind !== 'U') return [];
    const key = letter() === 'K' ? tuple() : undefined;
    if (key !== undefined) letter();
    return [{ kind: kind === 'I' ? 'inserted' : 'updated', before: key?.['id'], ...entry.parse(tuple()) }];
  });
}

it('logical decoding has each transaction, and one of several statements as a row that is rewritten under a new id', async () => {
  const { server: postgres, close } = await startSingle('wal_level=logical');
  onTestFinished(close);
  const service = await serverForTest({}, databaseAt([postgres]));
  await postgres.query(recipeIn('sql'));
  const { config } = connector.parse(JSON.parse(recipeIn('json')));
  const debezium = new Client({
    host: '127.0.0.1',
    port: postgres.port,
    user: config['database.user'],
    database: config['database.dbname'],
  });
  await debezium.connect();
  onTestFinished(() => debezium.end());
  const { 'slot.name': slot, 'plugin.name': plugin, 'publication.name': publication } = config;
  await debezium.query('SELECT pg_create_logical_replication_slot($1, $2)', [slot, plugin]);
  const changes = async () => {
    const { rows } = await debezium.query<{ data: Buffer }>(
      `SELECT data FROM pg_logical_slot_get_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', $2)`,
      [slot, publication],
    );
    return rowsOf(rows.map(({ data }) => data));
  };
  const create = (name: string): string => `createProgram(input: { name: "${name}", duration: "1 Year" }) { id }`;
  const created = (id: number) => ({ kind: 'PROGRAM', action: 'CREATE', id, programId: id });

  await service.graphql(`mutation { ${create('One')} }`);
  expect(await changes()).toMatchObject([{ kind: 'inserted', before: undefined, records: [created(1)] }]);

  // With an Idempotency-Key, a document is one transaction.
  await service
    .graphql(`mutation { a: ${create('Two')} b: ${create('Three')} }`)
    .set('Idempotency-Key', 'two-and-three');
  const [first, last, ...others] = await changes();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ kind: 'inserted', records: [created(2)] });
  expect(last).toMatchObject({
    kind: 'updated',
    before: first?.id,
    xid: first?.xid,
    records: [created(2), created(3)],
  });
  expect(last?.id).not.toBe(first?.id);

  await postgres.query(`DELETE FROM change_log WHERE xid = '${first?.xid}'`);
  expect(await changes()).toEqual([]);
});
