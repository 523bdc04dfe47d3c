import { expect, it } from 'vitest';
import { importFile } from '../import-export/import/import-file.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const long = 'x'.repeat(256);
const tooLong = { rule: 'TOO_LONG', details: { field: 'name', max: 255 } };
const message = 'name must be at most 255 characters long.';

it('an error in GraphQL has the rule and the details of each message; REST has the messages alone', async () => {
  const { body } = await server.graphql(
    'mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }',
    { input: { name: long, duration: ' ' } },
  );
  expect(body.errors[0].extensions).toEqual({
    code: 'VALIDATION_FAILED',
    errors: { name: [message], duration: ['duration must not be blank.'] },
    problems: [
      { field: 'name', ...tooLong, message },
      { field: 'duration', rule: 'BLANK', details: { field: 'duration' }, message: 'duration must not be blank.' },
    ],
  });
  const rest = await server.rest('post', '/api/academics/programs').send({ name: long, duration: '1 Year' });
  expect(rest.body).toEqual({ message: 'The request has invalid input.', errors: { name: [message] } });
});

it('an error of a record has its rule, and so has a problem of many', async () => {
  const missing = { rule: 'MISSING', details: { kind: 'Program', id: 7 }, message: 'Program 7 does not exist.' };
  const one = await server.graphql('mutation { deleteProgram(id: 7) { id } }');
  const { rule, details } = missing;
  expect(one.body.errors[0]).toMatchObject({
    message: missing.message,
    extensions: { code: 'NOT_FOUND', rule, details },
  });
  const many = await server.graphql('mutation { deletePrograms(ids: [7]) { problems { rule details message } } }');
  expect(many.body.data.deletePrograms.problems).toEqual([missing]);
});

it('a row of an import has them, with the name of its column, and so has a file that cannot be read', async () => {
  const { body } = await importFile(server, `program_name,program_duration\n${long},1 Year\n`);
  expect(body.problems).toMatchObject([
    {
      line: 2,
      column: 'program_name',
      rule: 'TOO_LONG',
      details: { field: 'program_name', max: 255 },
      message: 'program_name must be at most 255 characters long.',
    },
  ]);
  const unreadable = await importFile(server, 'program_name,program_duration\n"Physics,1 Year\n');
  expect(unreadable.body).toMatchObject({
    problems: [{ field: 'file', rule: 'UNCLOSED_QUOTE', details: { line: 2 } }],
  });
});
