import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });
beforeAll(async () => {
  for (const name of ['Physics', 'Law']) await server.make.branch((await server.make.program({ name })).id);
});

it.each([
  ['query ($page: Int! = 2) { programs(page: $page) { pageNumber } }', {}, { programs: { pageNumber: 2 } }],
  ['query ($ids: [Int!] = 2) { programs(filter: { ids: $ids }) { count } }', {}, { programs: { count: 1 } }],
  ['query ($constructor: Int! = 1) { program(id: $constructor) { id } }', {}, { program: { id: 1 } }],
  ['query ($constructor: Int!) { program(id: $constructor) { id } }', { constructor: 2 }, { program: { id: 2 } }],
  ['query ($valueOf: String) { programs(filter: { search: $valueOf }) { count } }', {}, { programs: { count: 2 } }],
  ['query ($__proto__: Int!) { program(id: $__proto__) { id } }', '{"__proto__":2}', { program: { id: 2 } }],
  [
    'query ($no: Boolean = false) { program(id: 1) { id code @skip(if: $no) } }',
    {},
    { program: { id: 1, code: null } },
  ],
])('a variable gets its value or its default, whatever its name, the first time and later: %s %j', async (...given) => {
  const [query, variables, data] = given;
  const values: object = typeof variables === 'string' ? JSON.parse(variables) : variables;
  for (const field of ['', ' ping { status }']) {
    const text = query.replace(/\}$/, `${field} }`);
    for (let time = 0; time < 3; time += 1)
      expect((await server.graphql(text, values)).body).toEqual({
        data: { ...data, ...(field !== '' && { ping: { status: 'ok' } }) },
      });
  }
});

it('null for a directive is an error of its field, the first time and later', async () => {
  const query = 'query ($with: Boolean = true) { program(id: 1) { id name @include(if: $with) } }';
  await server.graphql(query, {}).expect(200);
  for (const text of [query, query, `${query} `, query.replace(/\}$/, 'viewer { name } }')])
    expect((await server.graphql(text, { with: null })).body.errors).toEqual([
      expect.objectContaining({ path: ['program'], extensions: { code: 'BAD_USER_INPUT' } }),
    ]);
});
