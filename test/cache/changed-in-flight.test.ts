import { lockTable, waitingForLocks } from '@service/postgres/testing/table-lock';
import { beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { factoriesFor } from '../support/factories.ts';
import { within } from '../support/running-time.ts';
import { type TestServer, useServer } from '../support/server.ts';

const server = useServer();
const other = useServer({}, server.database);
let id: number;

beforeAll(async () => {
  const make = factoriesFor(server);
  ({ id } = await make.program({ name: 'Old' }));
  await make.branch(id);
});

const rename = (at: TestServer, name: string) =>
  at.graphql(`mutation ($name: String!) { updateProgram(id: ${id}, input: { name: $name }) { name } }`, { name });

/** Reads the name alone, which needs no locked table. */
const nameFrom = async (at: TestServer): Promise<string> =>
  (await at.graphql(`{ program(id: ${id}) { name } }`)).body.data.program.name;

/** The number of statements blocked on a table. */
const blockedOn = async (table: string): Promise<number> =>
  (await server.database.query(`SELECT 1 ${waitingForLocks} AND relation = '${table}'::regclass`)).length;

const surfaces = {
  REST: {
    lastTable: 'branches',
    read: async (at: TestServer): Promise<string> => (await at.rest('get', `/api/academics/programs/${id}`)).body.name,
    // Of one statement, which has no snapshot before it has all its locks.
    isOneStatement: true,
  },
  GraphQL: {
    lastTable: 'branch_years',
    read: async (at: TestServer): Promise<string> =>
      (await at.graphql(`{ program(id: ${id}) { name nodeId branches { years { code } } } }`)).body.data.program.name,
    isOneStatement: false,
  },
};

describe.each(Object.entries(surfaces))(
  'a read by %s that is in flight when the program changes',
  (surface, { lastTable, read, isOneStatement }) => {
    it.each(['at this instance', 'at another instance'] as const)(
      '%s is neither cached nor shared with later requests',
      async (where) => {
        const before = `Old, ${surface}, ${where}`;
        const after = `New, ${surface}, ${where}`;
        await rename(server, before);
        await within(1_000, async () => expect(await nameFrom(server)).toBe(before));
        const events = await subscribe(
          server,
          `subscription { catalogChanged(programId: ${id}) { program { name } } }`,
        );
        const table = await lockTable(server.database, lastTable, 'ACCESS EXCLUSIVE');
        const inFlight = read(server);
        await table.waitUntilBlocking();

        await rename(where === 'at this instance' ? server : other, after);
        // What this instance has found in the change log, it has invalidated.
        while (!JSON.stringify(await events.result()).includes(after));
        const later = read(server);
        await within(1_000, async () => expect(await blockedOn(lastTable)).toBe(2), 5);
        await table.release();

        expect(await inFlight).toBe(isOneStatement ? after : before);
        expect(await later).toBe(after);
        expect(await read(server)).toBe(after);
      },
    );
  },
);
