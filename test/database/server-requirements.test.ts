import { madeDataDir } from '@service/embedded-postgres/testing';
import { missingFixes, readServerSettings, unmetRequirement } from '@service/postgres/migrations/server-requirements';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { withStartupConnection } from '../../src/database/open-postgres.ts';
import { startService } from '../../src/service.ts';
import { databaseForTest } from '../support/database.ts';
import { adminKey } from '../support/server.ts';

const usual = { encoding: 'UTF8', schema: 'public', hidden: [] };

it.each([
  ['14.24', 140_024, 'PostgreSQL 14.24 is older than 15: use 15 or newer'],
  ['15.0', 150_000, undefined],
  ['18.1', 180_001, undefined],
])('says of PostgreSQL %s whether it is too old', (version, number, reason) => {
  expect(unmetRequirement({ version, number, ...usual })).toBe(reason);
});

it.each([
  ['15.18 (Debian 15.18-0+deb12u1)', 150_018, '15.20'],
  ['16.14', 160_014, '16.15'],
  ['17.0', 170_000, '17.12'],
  ['18.4', 180_004, '18.6'],
])('says of PostgreSQL %s which version has the security fixes that it lacks', (version, number, newest) => {
  const settings = { version, number, ...usual };
  const lacks = `PostgreSQL ${version} lacks the security fixes of ${newest}: `;
  expect(missingFixes(settings)).toBe(`${lacks}update it`);
  expect(missingFixes(settings, 'replace it')).toBe(`${lacks}replace it`);
});

it.each([
  ['15.20 (Debian 15.20-0+deb12u1)', 150_020],
  ['18.6', 180_006],
  ['18.10', 180_010],
  ['19beta1', 190_000],
])('says nothing of PostgreSQL %s, which has them', (version, number) => {
  expect(missingFixes({ version, number, ...usual })).toBeUndefined();
});

/** What a service logs of its server: the log of a test server is without the warning of the tests' own. */
async function loggedAtStart(environment: Readonly<Record<string, string>>): Promise<unknown[]> {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const service = await startService({
    config: parseConfig({ PORT: '0', BOOTSTRAP_API_KEY: adminKey, ...environment }),
    log: pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) }),
    report: () => undefined,
  });
  await service.close();
  return lines.filter(({ msg }) => msg.startsWith('PostgreSQL '));
}

it('is logged at the start, as a warning when it lacks fixes', async () => {
  const settings = await withStartupConnection(inject('postgresUrl'), readServerSettings);
  const missing = missingFixes(settings);
  const { url } = await databaseForTest();

  const [level, msg] = missing === undefined ? [30, `PostgreSQL ${settings.version}`] : [40, missing];
  expect(await loggedAtStart({ DATABASE_URL: url })).toEqual([{ level, msg }]);
});

it('is logged at the start without a warning when it is the embedded server, which comes with the service', async () => {
  const msg = expect.stringMatching(/^PostgreSQL [\d.]+$/);
  expect(await loggedAtStart({ DATA_DIR: await madeDataDir() })).toEqual([{ level: 30, msg }]);
});
