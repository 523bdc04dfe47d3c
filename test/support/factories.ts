import type { TestServer } from './server.ts';

interface Created {
  readonly id: number;
}

/** Creates records through the API with valid defaults, so that a test states only what it is about. */
export function factoriesFor(server: TestServer) {
  return {
    program: async (fields: object = {}): Promise<Created> =>
      created(
        await server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years', ...fields }),
      ),
    branch: async (programId: number, fields: object = {}): Promise<Created> =>
      created(
        await server.rest('post', '/api/academics/branches').send({ programId, name: 'Optics', years: 3, ...fields }),
      ),
  };
}

function created(answer: { readonly status: number; readonly body: unknown }): Created {
  const { status, body } = answer;
  if (status !== 201 || typeof body !== 'object' || body === null || !('id' in body) || typeof body.id !== 'number') {
    throw new Error(`Nothing was created: ${status} ${JSON.stringify(body)}`);
  }
  return { id: body.id };
}
