import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';

/** Creates, changes, deletes and reads records of a kind over GraphQL. */
export function mutationsOf(server: TestServer, kind: 'Program' | 'Branch', fields: string) {
  const run = async (query: string, variables: object) => (await server.graphql(query, variables)).body;
  const selected = `{ ${fields} }`;
  const field = kind.toLowerCase();
  return {
    create: (input: object) =>
      run(`mutation ($input: Create${kind}Input!) { create${kind}(input: $input) ${selected} }`, { input }),
    update: (id: number, input: object) =>
      run(`mutation ($id: Int!, $input: Update${kind}Input!) { update${kind}(id: $id, input: $input) ${selected} }`, {
        id,
        input,
      }),
    remove: (id: number) => run(`mutation ($id: Int!) { delete${kind}(id: $id) ${selected} }`, { id }),
    read: async (id: number) => (await run(`query ($id: Int!) { ${field}(id: $id) ${selected} }`, { id })).data[field],
    /** The actions in the audit log. */
    recorded: async (id: number) =>
      (
        await server.database.query('SELECT action FROM audit_entries WHERE subject = $1 AND subject_id = $2', [
          kind,
          id,
        ])
      ).map(({ action }) => action),
    notFound: (id: number) => rejected(`${kind} ${id} does not exist.`, 'NOT_FOUND'),
  };
}

const failed: unknown = expect.toSatisfy((data: object) => Object.values(data).every((result) => result === null));

const rejected = (message: string, code: string) => ({
  data: failed,
  errors: [expect.objectContaining({ message, extensions: expect.objectContaining({ code }) })],
});
