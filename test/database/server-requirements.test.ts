import { madeDataDir } from '@service/embedded-postgres/testing';
import { missingFixes, readServerSettings, unmetRequirement } from '@service/postgres/migrations/server-requirements';
import { expect, inject, it } from 'vitest';
import { withStartupConnection } from '../../src/database/open-postgres.ts';
import { databaseForTest } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';

it.each([
  ['14.24', 140_024, 'PostgreSQL 14.24 is older than 15: use 15 or newer'],
  ['15.0', 150_000, undefined],
  ['18.1', 180_001, undefined],
])('says of PostgreSQL %s whether it is too old', (version, number, reason) => {
  expect(unmetRequirement({ version, number, encoding: 'UTF8' })).toBe(reason);
});

it.each([
  ['15.18 (Debian 15.18-0+deb12u1)', 150_018, '15.20'],
  ['16.14', 160_014, '16.15'],
  ['17.0', 170_000, '17.12'],
  ['18.4', 180_004, '18.6'],
])('says of PostgreSQL %s which version has the security fixes that it lacks', (version, number, newest) => {
  const settings = { version, number, encoding: 'UTF8' };
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
  expect(missingFixes({ version, number, encoding: 'UTF8' })).toBeUndefined();
});

it('is logged at the start, as a warning when it lacks fixes', async () => {
  const settings = await withStartupConnection(inject('postgresUrl'), readServerSettings);
  const missing = missingFixes(settings);
  const database = await databaseForTest();
  // Read here, since the standard error of a test's process is without this warning.
  const { child } = startProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }, { stderrTo: 'unread' });
  let logged = '';
  child.stderr?.on('data', (text: Buffer) => {
    logged += text.toString();
  });
  const [level, message] = missing === undefined ? [30, `PostgreSQL ${settings.version}`] : [40, missing];
  await within(5_000, () => expect(logged).toMatch(/"msg":"PostgreSQL .*\n/));
  const lines = logged.split('\n').filter((line) => line.includes('"msg":"PostgreSQL '));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level, msg: message }]);
});

it('is logged at the start without a warning when it is the embedded server, which comes with the service', async () => {
  const { stderr, url } = startProcess({ DATA_DIR: await madeDataDir(), LOG_LEVEL: 'info' });
  await url;
  await within(5_000, () => expect(stderr()).toMatch(/"level":30,[^\n]*"msg":"PostgreSQL [\d.]+"/));
  expect(stderr()).not.toContain('security');
});
