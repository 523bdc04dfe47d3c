import { expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { runCommand } from './run-command.ts';

const university = new URL('../../examples/university.csv', import.meta.url).pathname;

it('imports the example university while the service runs, and changes nothing the second time', async () => {
  const server = await startTestServer();
  const seed = async () => JSON.parse((await runCommand(server.database.url, ['import', university, '--json'])).out);
  const first = await seed();
  const second = await seed();
  const response = await server.graphql('{ catalogStats { programs branches years } }');
  const codes = await server.database.query('SELECT code FROM branch_years');
  await server.close();

  const { programs, branches, years } = response.body.data.catalogStats;
  expect(first).toMatchObject({
    problemCount: 0,
    conflictCount: 0,
    programs: { created: programs, unchanged: 0 },
    branches: { created: branches, unchanged: 0 },
    years: { created: years },
  });
  expect(second).toMatchObject({
    conflictCount: 0,
    programs: { created: 0, unchanged: programs },
    branches: { created: 0, unchanged: branches },
    years: { created: 0 },
  });
  // All forms of codes: prefix and number, prefix and letter, either alone.
  expect(codes.map(({ code }) => code)).toEqual(expect.arrayContaining(['CS1', 'HA', '1', 'A']));
});
