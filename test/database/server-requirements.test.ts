import { madeDataDir } from '@service/embedded-postgres/testing';
import { missingFixes, readServerSettings } from '@service/postgres/migrations/server-requirements';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { withStartupConnection } from '../../src/database/open-postgres.ts';
import { startService } from '../../src/service.ts';
import { databaseForTest } from '../support/database.ts';
import { adminKey } from '../support/server.ts';

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
