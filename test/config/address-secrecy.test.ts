import { type AddressInfo, createServer } from 'node:net';
import { connectionReason } from '@service/postgres/errors';
import { createLog } from '@service/telemetry/log';
import fc from 'fast-check';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { messageFor } from '../../src/cli/errors.ts';
import { parseConfig } from '../../src/config.ts';
import { openPostgres, secretsOf } from '../../src/database/open-postgres.ts';
import { openDatabase } from '../../src/database/prisma.ts';

/** Long enough to be in no message by chance; with what people forget to encode. */
const word = (letters: string) =>
  fc
    .tuple(fc.stringMatching(/^[a-z]{7,9}$/), fc.constantFrom(...letters), fc.stringMatching(/^[a-z0-9]{7,9}$/))
    .map((parts) => parts.join(''));
const plain = fc.stringMatching(/^[a-z][a-z0-9]{8,11}$/);
const name = fc.oneof(plain, word('-_.~+ $&!*()é'));
const secret = fc.oneof(plain, word(`-_.~+ $&!*()é@:/?#[]%|\\^"'<>{},;=`));
const encode = fc.constantFrom(encodeURIComponent, (text: string) => text);
const port = fc.integer({ min: 10_000, max: 65_535 });

interface Parts {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

const parts: fc.Arbitrary<Parts> = fc.record({
  user: name,
  password: secret,
  host: plain.map((label) => `${label}.invalid`),
  port,
  database: name,
});

const pieces = ({ user, password, host, port: number, database }: Parts): string[] => [
  ...[user, password, host, `${number}`, database],
  ...[user, password, database].map(encodeURIComponent),
  ...password.split(/[@:/?#]/).filter((piece) => piece.length > 5),
];

/** The parts of an address that a text has. */
const found = (text: string, of: Parts): string[] => pieces(of).filter((piece) => text.includes(piece));

const addressOf = ({ user, password, host, port: number, database }: Parts, coded: (text: string) => string): string =>
  `postgresql://${coded(user)}:${coded(password)}@${host}:${number}/${coded(database)}`;

/** The message of what a work throws. */
const failureOf = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(() => '', messageFor);

const query = fc.oneof(
  fc.constantFrom('', '?sslmode=require', '?pgbouncer=true', '?connect_timeout=1', '?target_session_attrs=primary'),
  secret.map((text) => `?${encodeURIComponent(text)}=x`),
);

describe('no part of an address of a database', () => {
  it('is in the sentence that rejects it', async () => {
    await fc.assert(
      fc.property(parts, encode, query, fc.constantFrom('', 'mysql:', 'x'), (of, coded, parameters, prefix) => {
        const DATABASE_URL = prefix + addressOf(of, coded) + parameters;
        try {
          parseConfig({ DATABASE_URL });
        } catch (problem) {
          expect(found(messageFor(problem), of)).toEqual([]);
          expect(messageFor(problem).split('\n')).toHaveLength(1);
        }
      }),
      { numRuns: inject('thorough') ? 2_000 : 400 },
    );
  });

  it('is in the reason why there is no connection, whatever the server, the network or Prisma say of it', async () => {
    const database = (code: string, message: string) => Object.assign(new DatabaseError(message, 1, 'error'), { code });
    const network = (code: string, syscall: string, message: string) =>
      Object.assign(new Error(message), { code, syscall });
    await fc.assert(
      fc.property(parts, (of) => {
        const { user, host, port: number, database: db } = of;
        const adapter = { kind: 'DatabaseNotReachable', host, port: number };
        const failures: Error[] = [
          database('28P01', `password authentication failed for user "${user}"`),
          database('28000', `no pg_hba.conf entry for host "${host}", user "${user}", database "${db}", no encryption`),
          database('28000', `role "${user}" does not exist`),
          database('3D000', `database "${db}" does not exist`),
          database('53300', `too many connections for role "${user}"`),
          database('08P01', `no such user: ${user}`),
          network('ENOTFOUND', 'getaddrinfo', `getaddrinfo ENOTFOUND ${host}`),
          network('ECONNREFUSED', 'connect', `connect ECONNREFUSED ::1:${number}`),
          Object.assign(new Error(`Host: ${host}. is not in the cert's altnames`), {
            code: 'ERR_TLS_CERT_ALTNAME_INVALID',
          }),
          Object.assign(new Error(`Can't reach database server at ${host}:${number}`), { cause: adapter }),
          Object.assign(new Error(`Can't reach database server at ${host}:${number}`), {
            code: 'P1001',
            meta: { driverAdapterError: { cause: adapter } },
          }),
        ];
        const all = [...failures, new AggregateError(failures)];
        const denied = database('42501', `permission denied for database "${db}"`);
        expect([...all, denied].flatMap((failure) => found(connectionReason(failure), of))).toEqual([]);
        expect(all.flatMap((failure) => found(messageFor(failure), of))).toEqual([]);

        const lines: string[] = [];
        const secrets = secretsOf({ DATABASE_URL: addressOf(of, encodeURIComponent) });
        const log = createLog({ level: 'info', ...secrets }, { write: (line: string) => void lines.push(line) });
        for (const err of all) log.error({ err }, 'failed');
        const errors = lines.map((line) => JSON.stringify(JSON.parse(line).err));
        expect(errors.flatMap((line) => found(line, of))).toEqual([]);
      }),
      { numRuns: inject('thorough') ? 300 : 80 },
    );
  });

  it('is in the log, wherever the address has it: its parameters, a list of hosts, the address without a pooler', () => {
    const lists = 'postgresql://localhost/x?host=one.example.org,two.example.org&port=1,2&password=p%40ssword';
    const { secrets } = secretsOf({ DATABASE_URL: lists, DATABASE_DIRECT_URL: 'postgresql://direct.example.org/x' });
    expect(secrets).toEqual(
      expect.arrayContaining(['one.example.org', 'two.example.org', 'p@ssword', 'direct.example.org']),
    );
  });

  describe('is in an error of a server that is there', () => {
    /** Accepts, and says nothing that a PostgreSQL would. */
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy()));
    beforeAll(() => new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve)));
    afterAll(() => new Promise((resolve) => other.close(resolve)));

    it('at the start, and at a statement', async () => {
      const server = new URL(inject('postgresUrl'));
      const portOfOther = (other.address() as AddressInfo).port;
      await fc.assert(
        fc.asyncProperty(parts, fc.constantFrom('server', 'other', 'nobody'), async (given, where) => {
          const of =
            where === 'server' ? given : { ...given, host: '127.0.0.1', port: where === 'other' ? portOfOther : 1 };
          const login = `${encodeURIComponent(of.user)}:${encodeURIComponent(of.password)}`;
          const place = where === 'server' ? server.host : `${of.host}:${of.port}`;
          const DATABASE_URL = `postgresql://${login}@${place}/${encodeURIComponent(of.database)}${where === 'server' ? server.search : ''}`;
          const config = parseConfig({ DATABASE_URL });

          const start = await failureOf(() => openPostgres(config, () => undefined));
          expect(start).toMatch(/^The database cannot be reached: [^\n]+$/);
          const db = openDatabase({ url: DATABASE_URL });
          const statement = await failureOf(() => db.program.count());
          await db.$disconnect();

          const shown = where === 'nobody' ? { ...of, port: 99_999 } : of;
          expect([start, statement].flatMap((message) => found(message, shown))).toEqual([]);
        }),
        { numRuns: inject('thorough') ? 12 : 4 },
      );
    });
  });
});
