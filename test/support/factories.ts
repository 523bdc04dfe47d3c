import type { TestServer } from './server.ts';

interface Created {
  readonly id: number;
}

/** On a busy machine the database may take longer than a statement may: a client is told to try again. */
const attempts = 3;

/** Creates records through the API with valid defaults, so that a test states only what it is about. */
export function factoriesFor(server: TestServer) {
  const create = async (path: string, fields: object): Promise<Created> => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body } = await server.rest('post', path).send(fields);
      if (status === 201 && typeof body?.id === 'number') return { id: body.id };
      if (status !== 503 || attempt === attempts)
        throw new Error(`Nothing was created: ${status} ${JSON.stringify(body)}`);
    }
  };
  return {
    program: (fields: object = {}): Promise<Created> =>
      create('/api/academics/programs', { name: 'Physics', duration: '4 Years', ...fields }),
    branch: (programId: number, fields: object = {}): Promise<Created> =>
      create('/api/academics/branches', { programId, name: 'Optics', years: 3, ...fields }),
  };
}
