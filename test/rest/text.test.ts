import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';
import { invalid, statusAndBody } from './expectations.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

const server = useServer();
let programId: number;
beforeAll(async () => {
  programId = (await factoriesFor(server).program()).id;
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
  it.each([
    'Théologie — Église & État "№ 1" \\ \'; DROP TABLE programs; --',
    'مُهندسٌ',
    'हिन्दी साहित्य',
    '工程學 エンジニアリング 공학',
    'Ελληνικά кириллица עברית',
    '👩🏽\u200d🔬🇮🇳',
    '𝔘𝔫𝔦𝔳𝔢𝔯𝔰𝔦𝔱𝔶',
    '\u202eright to left\u202c',
    'zero\u200bwidth\ufeffinside',
    '<script>alert(1)</script>',
    '{{name}} %s %zz \\u0041',
    '\ufffe\uffff\u{10ffff}',
    'null',
    '__proto__',
  ])('is returned in NFC, otherwise unchanged: %s', async (text) => {
    expect(await throughProgram(text)).toEqual(whole(text.normalize('NFC')));
    expect(await throughBranch(text)).toEqual(whole(text.normalize('NFC')));
  });

  it('is returned trimmed and in NFC, otherwise unchanged, whatever it contains', async () => {
    const printable = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 80 })
      .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(printable, async (text) => {
        expect(await throughProgram(text)).toEqual(whole(text.normalize('NFC').trim()));
        expect(await throughBranch(text)).toEqual(whole(text.normalize('NFC')));
      }),
      { numRuns: 25 },
    );
  });

  it('is trimmed in a name, and stored as sent in a description', async () => {
    expect(await throughProgram(' \t\n\u00a0Physics\u3000\r\n')).toEqual(whole('Physics'));
    for (const text of ['  \tFirst,\r\n\r\n\tsecond. \n', ' ', '\n', '\u0007\u001b[1m\u0085', 'a\u2028b']) {
      expect(await throughBranch(text)).toEqual(whole(text));
    }
  });

  it('is counted in code points after normalization', async () => {
    for (const character of ['x', 'é', 'e\u0301', '𝔘', '👩', '\u1112\u1161\u11ab']) {
      const longest = character.repeat(255);
      expect(await throughProgram(`  ${longest}  `)).toEqual(whole(longest.normalize('NFC')));
      expect((await throughProgram(longest + character)).status).toBe(400);
      expect(await throughBranch(character.repeat(2_000))).toEqual(whole(character.repeat(2_000).normalize('NFC')));
      expect((await throughBranch(character.repeat(2_001))).status).toBe(400);
    }
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

  it('must have no lone surrogate and no NUL', async () => {
    const surrogate = 'must be well-formed Unicode: it has half of a surrogate pair.';
    const send = (name: string, description: string) =>
      server
        .rest('post', branches)
        .type('application/json')
        .send(`{"programId":${programId},"years":1,"name":"a${name}","description":"${description}"}`);
    for (const half of ['\\ud800', '\\udfff', '\\udc00\\ud800', '\\ud800x']) {
      expect(statusAndBody(await send(half, half))).toEqual(
        invalid({ name: [`name ${surrogate}`], description: [`description ${surrogate}`] }),
      );
    }
    expect(statusAndBody(await send('\\u0000', '\\u0000'))).toEqual(
      invalid({
        name: ['name must not contain the NUL character.', 'name must be on one line, without control characters.'],
        description: ['description must not contain the NUL character.'],
      }),
    );
  });

  it('must be on one line in a name', async () => {
    const message = 'must be on one line, without control characters.';
    for (const control of ['\n', '\r', '\t', '\u0001', '\u001f', '\u007f', '\u0080', '\u009f', '\u2028', '\u2029']) {
      const text = `a${control}b`;
      const fields = { name: text, duration: text, code: text };
      expect(statusAndBody(await server.rest('post', programs).send(fields))).toEqual(
        invalid({ name: [`name ${message}`], duration: [`duration ${message}`], code: [`code ${message}`] }),
      );
      const branch = { programId, years: 1, name: text, codePrefix: text, description: text };
      expect(statusAndBody(await server.rest('post', branches).send(branch))).toEqual(
        invalid({ name: [`name ${message}`], codePrefix: [`codePrefix ${message}`] }),
      );
    }
  });
});
