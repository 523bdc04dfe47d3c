import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { importFile } from '../../import-export/import/import-file.ts';
import { openFaultyProxy } from '../../support/faulty-proxy.ts';
import { within } from '../../support/running-time.ts';
import { serverForTest, useInstances } from '../../support/server.ts';

const servers = useInstances(2);
const [here, there] = servers;

const typescript = [process.execPath, '--import', 'tsx', 'examples/copy/copy.ts'];
const python = ['python3', 'examples/copy/copy.py'];
const commands = spawnSync('python3', ['--version']).status === 0 ? [typescript, python] : [typescript];

interface Copy {
  readonly file: string;
  errors(): string;
  restart(): Promise<void>;
}

/** Starts a program that keeps a copy, which queries an instance three times a second. */
function startCopy(command: readonly string[], file: string, environment: readonly string[]): Copy {
  let errors = '';
  let child: ChildProcess;
  const start = (): void => {
    child = spawn('env', [...environment, ...command, file]);
    child.stderr?.on('data', (text) => {
      errors += String(text);
    });
  };
  start();
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    file,
    errors: () => errors,
    restart: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
      start();
    },
  };
}

const text = z.string();
const attributes = z
  .array(z.object({ key: text, value: text }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const copied = z.object({
  programs: z.record(text, z.object({ id: z.int(), code: text.nullable(), name: text, duration: text, attributes })),
  branches: z.record(
    text,
    z.object({
      id: z.int(),
      programId: z.int(),
      code: text.nullable(),
      name: text,
      description: text,
      years: z.array(z.object({ code: text, year: z.int() })),
      codePrefix: text,
      codeIsNumeric: z.boolean(),
      attributes,
    }),
  ),
});
const noBranch = {
  code: '',
  name: '',
  description: '',
  years: undefined,
  codePrefix: '',
  codeIsNumeric: null,
  attributes: null,
};

/** The rows that an export of the copy has. */
async function rowsOf(file: string): Promise<object[]> {
  const { programs, branches } = copied.parse(JSON.parse(await readFile(file, 'utf8')));
  const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;
  return Object.values(programs)
    .sort(byId)
    .flatMap(({ id, code, name, duration, attributes }) => {
      const own = Object.values(branches).filter(({ programId }) => programId === id);
      return (own.length === 0 ? [noBranch] : own.sort(byId)).map((branch) => ({
        program_code: code ?? '',
        program_name: name,
        program_duration: duration,
        branch_code: branch.code ?? '',
        branch_name: branch.name,
        branch_description: branch.description,
        branch_years: branch.years?.length ?? null,
        branch_code_prefix: branch.codePrefix,
        branch_code_is_numeric: branch.codeIsNumeric,
        program_attributes: attributes,
        branch_attributes: branch.attributes,
      }));
    });
}

async function exportedRows(key: string): Promise<object[]> {
  const response = await fetch(`${here.url}/export/catalog.json`, { headers: { 'x-api-key': key } });
  // Without the numbers of equal names, and ids, which rows of a copy do not have.
  return z
    .array(z.record(z.string(), z.unknown()))
    .parse(await response.json())
    .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !/_(?:id|occurrence)$/.test(name))));
}

const actions = ['create', 'branch', 'rename', 'mark', 'years', 'move', 'delete', 'lose', 'restore', 'find'] as const;
const id = fc.integer({ min: 1, max: 30 });
const step = fc.record({ action: fc.constantFrom(...actions), id, other: id, instance: fc.constantFrom(...servers) });

/** 200 changes, by four clients of both instances. What is not possible, such as the change of what is deleted, is none. */
const steps = fc.sample(step, { numRuns: 200, seed: 7 }).map(({ action, id, other, instance }, index) => {
  const mutation = {
    create: `createProgram(input: { name: "Name ${index}", duration: "${other} Years" }) { id }`,
    branch: `createBranch(input: { programId: ${id}, code: "B${other}", name: "Name ${index}", years: 2, codePrefix: "${other}" }) { id }`,
    rename: `updateProgram(id: ${id}, input: { name: "Name ${index}" }) { id }`,
    mark: `updateProgram(id: ${id}, input: { attributes: [{ key: "k${other % 5}", value: ${other % 2 === 0 ? `"${index}"` : null} }] }) { id }`,
    years: `updateBranch(id: ${id}, input: { years: ${(other % 10) + 1}, code: "C${index}", description: "Text ${index}", attributes: [{ key: "text", value: "${index}" }] }) { id }`,
    move: `updateBranch(id: ${id}, input: { programId: ${other} }) { id }`,
    delete: `deleteProgram(id: ${id}) { id }`,
    lose: `deleteBranch(id: ${id}) { id }`,
    restore: `restoreProgram(id: ${id}) { id }`,
    find: `restoreBranch(id: ${id}) { id }`,
  }[action];
  return () => instance.graphql(`mutation { ${mutation} }`);
});

async function change(from: number, to: number): Promise<void> {
  const left = steps.slice(from, to);
  const client = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: 4 }, client));
}

const file = (name: string, count: number): string => {
  const rows = Array.from({ length: count }, (_, index) => `${name} ${index},4 Years,Branch,3,UG,${index}`);
  return ['program_name,program_duration,branch_name,branch_years,program_attr:level,branch_attr:intake', ...rows].join(
    '\n',
  );
};

it('copies of the catalog, in TypeScript and in Python, stay equal to it through a day of changes, imports, their undo and their own restarts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (let count = 0; count < 20; count += 1) {
    const { id } = await here.make.program({ name: `Program ${count}` });
    await here.make.branch(id, { name: `Branch ${count}` });
  }
  const KEY = await here.makeKey({ role: 'viewer' });
  const copies = commands.map((command, index) =>
    startCopy(command, path.join(folder, `${index}.json`), [
      `KEY=${KEY}`,
      `BASE_URL=${servers[index === 0 ? 0 : 1].url}`,
      'INTERVAL_SECONDS=0.3',
    ]),
  );
  const expectEqual = () =>
    within(
      60_000,
      async () => {
        const rows = await exportedRows(KEY);
        for (const copy of copies) expect(await rowsOf(copy.file).catch(String), copy.errors()).toEqual(rows);
      },
      200,
    );

  /** Again when the service is busy, as its error asks for. */
  const undo = ({ body: { changeId } }: Awaited<ReturnType<typeof importFile>>) =>
    within(20_000, async () => {
      const { body } = await there.graphql(`mutation { undoChange(changeId: "${changeId}") { undone changeId } }`);
      expect(body.errors).toBeUndefined();
      return body.data.undoChange;
    });

  await change(0, 80);
  await expectEqual();
  const restarts = () => copies.map((copy) => copy.restart());
  const [few] = await Promise.all([importFile(here, file('few', 20)), change(80, 120), ...restarts()]);
  await expectEqual();
  const [many] = await Promise.all([importFile(there, file('many', 300)), change(120, 160)]);
  await Promise.all([change(160, 180), ...restarts()]);
  await expectEqual();
  const [undone] = await Promise.all([undo(few), change(180, 190)]);
  expect(undone).toMatchObject({ undone: expect.any(Number), changeId: expect.any(String) });
  expect(await exportedRows(KEY)).toContainEqual(expect.objectContaining({ program_name: 'many 1' }));
  await expectEqual();
  const [others] = await Promise.all([undo(many), change(190, 200), ...restarts()]);
  expect(others).toMatchObject({ undone: expect.any(Number), changeId: expect.any(String) });
  expect(await exportedRows(KEY)).not.toContainEqual(expect.objectContaining({ program_name: 'many 1' }));
  await expectEqual();
}, 240_000);

/** Runs a copy to its end. */
async function runOnce(command: readonly string[], file: string, environment: readonly string[]) {
  const child = spawn('env', [...environment, ...command, '--once', file]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (said) => {
    errors += String(said);
  });
  await once(child, 'close');
  return { code: child.exitCode, errors };
}

describe.each(commands.map((command) => ({ program: command.at(-1), command })))(
  'with --once, $program',
  ({ command }) => {
    it('ends with a whole copy through rate limits, cut connections, halves of responses and pages of a proxy, and resumes', {
      timeout: 240_000,
    }, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'copy-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const copy = path.join(folder, 'catalog.json');
      const server = await serverForTest();
      expect((await importFile(server, file('Program', 450))).status).toBe(200);
      const KEY = await server.makeKey({ role: 'viewer' });
      const environment = [`KEY=${KEY}`, `BASE_URL=${await openFaultyProxy(server.url)}`];

      const { code, errors } = await runOnce(command, copy, environment);
      expect({ code, errors }).toMatchObject({ code: 0 });
      expect(errors).toContain('status 502');
      expect(errors).toContain('status 429');
      expect(await rowsOf(copy)).toHaveLength(450);

      await server.make.program({ name: 'Later' });
      expect(await runOnce(command, copy, environment)).toMatchObject({ code: 0 });
      expect(await rowsOf(copy)).toContainEqual(expect.objectContaining({ program_name: 'Later' }));
    });

    it('ends with the reason when its key is revoked', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'copy-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const result = await runOnce(command, path.join(folder, 'catalog.json'), [
        'KEY=uas_revoked',
        `BASE_URL=${here.url}`,
      ]);
      expect(result).toEqual({ code: 1, errors: 'API key is invalid.\n' });
    });
  },
);
