import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const ofOneRecord = mutations.filter(({ args }) => args.some(({ name }) => name === 'id'));

it.each(ofOneRecord)(
  '$name fails with NOT_FOUND for a record that does not exist, as its description says',
  async ({ name, args, description }) => {
    const input = args.some((argument) => argument.name === 'input') ? ', input: {}' : '';
    const { body } = await server.graphql(`mutation { ${name}(id: 0${input}) { __typename } }`);
    expect(body).toMatchObject({ data: { [name]: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    expect(description).toContain('`NOT_FOUND`');
  },
);

it.each(ofOneRecord)('$name rejects a negative id', async ({ name, args }) => {
  const input = args.some((argument) => argument.name === 'input') ? ', input: {}' : '';
  const { body } = await server.graphql(`mutation { ${name}(id: -1${input}) { __typename } }`);
  expect(body.errors[0].extensions).toEqual({
    code: 'VALIDATION_FAILED',
    errors: { id: ['id must not be negative.'] },
  });
});

it.each(mutations)('$name names the codes of its errors', ({ description }) => {
  expect(description).toMatch(/\. Errors: `FORBIDDEN`, `VALIDATION_FAILED`(, `[A-Z_]+`)*\.$/);
});
