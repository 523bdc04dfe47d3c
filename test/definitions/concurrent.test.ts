import { RawConnection } from '@service/postgres/sql';
import { lockTable } from '@service/postgres/testing/table-lock';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { definitionInput } from '../../src/academics/definitions/definition-input.ts';
import { saveDefinition } from '../../src/academics/definitions/save-definition.ts';
import { actor } from '../accounts/administration.ts';
import { importFile } from '../import-export/import/import-file.ts';
import { clientForTest } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';
import { attributes, choices, definitionsOf } from './definitions.ts';

/*
 * A choice goes while records get it. Each of the two begins first, and ends when the other waits for it: what is left is
 * what one after the other would leave.
 */

const server = useSharedServer();
const { define } = definitionsOf(server);
const count = 1_000;
let ids: number[] = [];

const input = { name: 'new', duration: '1 Year', attributes: attributes({ level: 'B' }) };
const send = async (document: string, variables: object) => (await server.graphql(document, variables)).body;

/** What sets the choice in some records, and whether it was refused. */
const changes: Readonly<Record<string, () => Promise<boolean>>> = {
  'a bulk change': async () => {
    const document = `mutation ($ids: [Int!]!, $input: UpdateProgramsInput!) {
      updatePrograms(ids: $ids, input: $input) { changed problems { code } } }`;
    const { data } = await send(document, { ids, input: { attributes: input.attributes } });
    return data.updatePrograms.problems.length > 0;
  },
  'a create': async () => {
    const { errors } = await send('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }', {
      input,
    });
    return errors !== undefined;
  },
  'creates of many': async () => {
    const items = Array.from({ length: 20 }, () => input);
    const document = 'mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }';
    return (await send(document, { items })).errors !== undefined;
  },
  'an import': async () => {
    const lines = Array.from({ length: count }, (_, index) => `New ${index},1 Year,B`);
    const { status } = await importFile(
      server,
      ['program_name,program_duration,program_attr:level', ...lines].join('\n'),
    );
    return status === 409;
  },
};

const waiting = (): Promise<unknown[]> =>
  server.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
const inUse = async (): Promise<boolean> =>
  (await server.database.query(`SELECT 1 FROM programs WHERE attributes ->> 'level' = 'B' LIMIT 1`)).length > 0;

/** Waits until some statements wait for locks, or something is over that should have waited. */
async function untilWaiting(count: number, other: Promise<unknown>): Promise<void> {
  let isOver = false;
  void other.then(() => {
    isOver = true;
  });
  await vi.waitFor(async () => expect(isOver || (await waiting()).length >= count).toBe(true), {
    ...{ timeout: 20_000, interval: 5 },
  });
}

/** A definition that loses the choice in a transaction of its own; refused when records have it. */
async function losingChoice() {
  const client = await clientForTest(server.database.url);
  await client.query('BEGIN');
  const saved = saveDefinition(
    new RawConnection({ connection: client }),
    actor,
    definitionInput.parse({ key: 'level', choices: choices('A') }),
  ).then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'CONFLICT', rule: 'CHOICE_IN_USE' });
      return true;
    },
  );
  return { saved, commit: () => client.query('COMMIT') };
}

beforeAll(async () => {
  const made = await server.database.query(
    `INSERT INTO programs (name, duration) SELECT 'P' || place, '1 Year' FROM generate_series(1, ${count}) AS place
     RETURNING id`,
  );
  ids = made.map(({ id }) => Number(id));
});

beforeEach(async () => {
  await define({ key: 'level', kind: 'CHOICE', ofPrograms: true, choices: choices('A', 'B') });
  await server.database.query(`UPDATE programs SET attributes = '{}'`);
});

describe.each(Object.entries(changes))('%s and a definition that loses its choice', (_name, change) => {
  it('leave the choice when the records are first', async () => {
    const lock = await lockTable(server.database, 'programs');
    const isRefused = change();
    await lock.waitUntilBlocking();
    const { saved, commit } = await losingChoice();
    await untilWaiting(2, saved);
    await lock.release();

    expect([await isRefused, await saved]).toEqual([false, true]);
    await commit();
    expect(await inUse()).toBe(true);
  });

  it('leave no record with it when the definition is first', async () => {
    const { saved, commit } = await losingChoice();
    expect(await saved).toBe(false);
    const isRefused = change();
    await untilWaiting(1, isRefused);
    await commit();

    expect(await isRefused).toBe(true);
    expect(await inUse()).toBe(false);
  });
});

it('a create that sets a choice shares its transaction, and so its wait for the definition, with no other', async () => {
  const create = (fields: string) =>
    send(`mutation { createProgram(input: { name: "Shared", duration: "1", ${fields} }) { name } }`, {});
  for (let round = 0; round < 5; round += 1) {
    const others = Array.from({ length: 10 }, () => create('code: "x"'));
    await Promise.all([...others, create('attributes: [{ key: "level", value: "B" }]')]);
  }

  const together = await server.database.query(
    `SELECT count(*)::int AS programs FROM programs WHERE name = 'Shared' GROUP BY xmin::text
     HAVING bool_or(attributes ? 'level')`,
  );
  expect(together).toEqual(Array.from({ length: 5 }, () => ({ programs: 1 })));
});
