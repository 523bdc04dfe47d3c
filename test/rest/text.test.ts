import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { invalid, statusAndBody } from './expectations.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

const server = useServer();
let programId: number;
beforeAll(async () => {
  programId = (await server.make.program()).id;
});

/** Creates a program of that name and reads it back. */
async function throughProgram(name: string): Promise<{ status: number; created: unknown; read: unknown }> {
  const { status, body } = await server.rest('post', programs).send({ name, duration: '4 Years' });
  if (status !== 201) return { status, created: body, read: undefined };
  return { status, created: body.name, read: (await server.rest('get', `${programs}/${body.id}`)).body.name };
}

/** Creates a branch of that description and reads it back. */
async function throughBranch(description: string): Promise<{ status: number; created: unknown; read: unknown }> {
  const { status, body } = await server
    .rest('post', branches)
    .send({ programId, name: 'Optics', years: 1, description });
  if (status !== 201) return { status, created: body, read: undefined };
  return {
    status,
    created: body.description,
    read: (await server.rest('get', `${branches}/${body.id}`)).body.description,
  };
}

const whole = (text: string) => ({ status: 201, created: text, read: text });

describe('text', () => {
  it('may be as long as allowed in code points, which take up to four bytes', async () => {
    expect(await throughProgram('𝔘'.repeat(255))).toEqual(whole('𝔘'.repeat(255)));
    expect(await throughBranch('👩'.repeat(2_000))).toEqual(whole('👩'.repeat(2_000)));
  });

  it('may be escaped in JSON, surrogate pairs included', async () => {
    const response = await server
      .rest('post', programs)
      .type('application/json')
      .send('{"n\\u0061me":"\\ud835\\udd18\\u00e9","duration":"\\u0034\\/5"}');
    expect(statusAndBody(response)).toEqual({
      status: 201,
      body: { id: response.body.id, name: '𝔘é', duration: '4/5' },
    });
  });

  it('must have no lone surrogate and no NUL, also when escaped in JSON', async () => {
    const surrogate = 'must be well-formed Unicode: it has half of a surrogate pair.';
    const response = await server
      .rest('post', branches)
      .type('application/json')
      .send(`{"programId":${programId},"years":1,"name":"a\\udc00\\ud800","description":"\\u0000"}`);
    expect(statusAndBody(response)).toEqual(
      invalid({ name: [`name ${surrogate}`], description: ['description must not contain the NUL character.'] }),
    );
  });
});
