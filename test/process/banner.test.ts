import { expect, it } from 'vitest';
import { databaseForTest } from '../support/database.ts';
import { startProcess } from '../support/process.ts';

it('prints the URLs of its pages and warns once about a misspelt environment variable, without its value', async () => {
  const database = await databaseForTest();
  const {
    child,
    stdoutLines,
    url: listening,
    stderr,
    ended,
  } = startProcess({
    DATABASE_URL: database.url,
    JWT_SECERT: 'hunter2',
  });
  const url = await listening;

  expect(stdoutLines.slice(-6)).toEqual([
    `Home      ${url}/`,
    `Console   ${url}/console`,
    `REST      ${url}/v1`,
    `GraphiQL  ${url}/graphql`,
    `Docs      ${url}/docs`,
    `listening on ${url}`,
  ]);
  for (const page of ['/', '/console', '/docs']) expect((await fetch(url + page)).status).toBe(200);
  expect(stderr().match(/JWT_SECERT.*/g)).toEqual([expect.stringContaining('is JWT_SECRET meant?')]);
  expect(stderr()).not.toContain('hunter2');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
