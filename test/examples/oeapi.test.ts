import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { programmesOf } from '../../examples/oeapi/programmes.ts';
import { openFaultyProxy } from '../support/faulty-proxy.ts';
import { useServer } from '../support/server.ts';

const uuid = { type: 'string', format: 'uuid' };
const text = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['language', 'value'],
    properties: { language: { type: 'string', pattern: '^[a-z]{2,3}(-[A-Z]{2})?$' }, value: { type: 'string' } },
  },
};

/** What Open Education API 6.0 says of a programme, of the fields that the example has; it may have no others. */
const programme = {
  type: 'object',
  required: ['programmeId', 'primaryCode', 'programmeType', 'name'],
  additionalProperties: false,
  properties: {
    programmeId: uuid,
    primaryCode: {
      type: 'object',
      required: ['codeType', 'code'],
      additionalProperties: false,
      properties: { codeType: { enum: ['programme_code', 'system_id'] }, code: { type: 'string' } },
    },
    programmeType: { enum: ['programme', 'specialisation'] },
    name: text,
    description: text,
    duration: { type: 'string', pattern: String.raw`^P\d+[YMW]$` },
    parentId: uuid,
    childIds: { type: 'array', items: uuid },
    ext: { type: 'object' },
  },
};
const ajv = new Ajv2020();
formats.default(ajv);
const validate = ajv.compile({ type: 'array', items: programme });

const university = { address: 'https://catalog.example.edu', language: 'en-GB' };

describe('a program as a programme of Open Education API', () => {
  const durationOf = (duration: string) =>
    programmesOf({ programs: [{ id: 1, code: null, name: 'Optics', duration }], branches: [] }, university)[0]
      ?.duration;

  it.each([
    ['4 Years', 'P4Y'],
    ['1 year', 'P1Y'],
    ['18 months', 'P18M'],
    ['6 Weeks', 'P6W'],
    ['3 years, full time', undefined],
    ['Two years', undefined],
  ])('has a duration when its text is a number of units: %s', (duration, expected) => {
    expect(durationOf(duration)).toBe(expected);
  });

  it('keeps its identifier, which is a UUID of a URL, when it is renamed', () => {
    const idOf = (name: string) =>
      programmesOf({ programs: [{ id: 1, code: null, name, duration: '1 Year' }], branches: [] }, university)[0]
        ?.programmeId;

    expect(idOf('Optics')).toBe(idOf('Fiber Optics'));
    // By another implementation: uuid.uuid5(uuid.NAMESPACE_URL, 'https://catalog.example.edu/programs/1') of Python.
    expect(idOf('Optics')).toBe('b966d758-362b-547f-b068-5737fc211bf4');
  });
});

const server = useServer();

it('the example prints programmes with their specialisations, through cut connections too, as Open Education API says', async () => {
  const { id } = await server.make.program({ name: 'Bachelor of Optics', duration: '4 Years', code: 'BO' });
  const lens = { programId: id, name: 'Lenses', description: 'Glass', years: 2, codePrefix: 'L', code: 'LENS' };
  await server.graphql('mutation ($lens: CreateBranchInput!) { createBranch(input: $lens) { id } }', { lens });
  await server.make.branch(id, { name: 'Fibers', years: 3 });
  for (let count = 0; count < 101; count += 1) await server.make.program({ name: `Program ${count}` });
  const KEY = await server.makeKey({ role: 'viewer' });
  const command = ['--import', 'tsx', 'examples/oeapi/main.ts'];
  const BASE_URL = await openFaultyProxy(server.url, 2);
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { KEY, BASE_URL } });

  const programmes = JSON.parse(stdout);
  expect(validate(programmes) ? [] : validate.errors).toEqual([]);
  expect(programmes).toHaveLength(104);
  const [bachelor, lenses, fibers] = programmes;
  expect([bachelor, lenses]).toEqual([
    {
      programmeId: expect.any(String),
      primaryCode: { codeType: 'programme_code', code: 'BO' },
      programmeType: 'programme',
      name: [{ language: 'en', value: 'Bachelor of Optics' }],
      duration: 'P4Y',
      childIds: [lenses.programmeId, fibers.programmeId],
      ext: { duration: '4 Years' },
    },
    {
      programmeId: expect.any(String),
      primaryCode: { codeType: 'programme_code', code: 'LENS' },
      programmeType: 'specialisation',
      name: [{ language: 'en', value: 'Lenses' }],
      description: [{ language: 'en', value: 'Glass' }],
      duration: 'P2Y',
      parentId: bachelor.programmeId,
      ext: {
        years: [
          { code: 'L1', year: 1 },
          { code: 'L2', year: 2 },
        ],
      },
    },
  ]);
  expect(fibers.primaryCode).toEqual({ codeType: 'system_id', code: '2' });
  expect(new Set(programmes.map((one: { programmeId: string }) => one.programmeId)).size).toBe(104);
});
