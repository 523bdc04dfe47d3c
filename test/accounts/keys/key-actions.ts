import supertest from 'supertest';
import { hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import type { TestServer } from '../../support/server.ts';

/** What a caller does to keys, with a credential of any kind. */
export function keyActions(server: TestServer) {
  const mutate = async (by: string, text: string) => {
    const { body } = await server.graphql(`mutation { made: ${text} }`, {}, by);
    if (body.errors !== undefined) throw new Error(body.errors[0].message);
    return body.data.made;
  };
  const rowOf = async (key: string) => {
    const [row] = await server.database.query('SELECT * FROM api_keys WHERE hash = $1', [hashApiKey(key)]);
    return row ?? {};
  };
  const idOf = async (key: string): Promise<number> => Number((await rowOf(key))['id']);
  return {
    mutate,
    rowOf,
    idOf,
    createKey: async (by: string, input = ''): Promise<string> =>
      (await mutate(by, `createApiKey(input: { ${input} }) { key }`)).key,
    rotate: async (by: string, key: string, overlap?: string): Promise<string> => {
      const input = overlap === undefined ? '' : `, input: { overlap: "${overlap}" }`;
      return (await mutate(by, `rotateApiKey(id: ${await idOf(key)}${input}) { key }`)).key;
    },
    /** The secret of a new session, which is a key in a cookie. */
    beginSession: async (by: string): Promise<string> => {
      const begin = supertest(server.url).post('/session').set({ 'sec-fetch-site': 'same-origin', 'x-api-key': by });
      return /=(uas_\w+);/.exec(String((await begin.expect(204)).headers['set-cookie']))?.[1] ?? '';
    },
  };
}
