import type { Test } from 'supertest';

interface Created {
  readonly id: number;
}

/** Creates records through the API with valid defaults, so that a test states only what it is about. */
export interface Factories {
  program(fields?: object): Promise<Created>;
  branch(programId: number, fields?: object): Promise<Created>;
}

export function factoriesFor({ rest }: { rest(method: 'post', path: string): Test }): Factories {
  return {
    program: async (fields) =>
      created(await rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years', ...fields })),
    branch: async (programId, fields) =>
      created(await rest('post', '/api/academics/branches').send({ programId, name: 'Optics', years: 3, ...fields })),
  };
}

function created(answer: { readonly status: number; readonly body: unknown }): Created {
  const { status, body } = answer;
  if (status !== 201 || typeof body !== 'object' || body === null || !('id' in body) || typeof body.id !== 'number') {
    throw new Error(`Nothing was created: ${status} ${JSON.stringify(body)}`);
  }
  return { id: body.id };
}
