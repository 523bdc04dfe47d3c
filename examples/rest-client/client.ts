// Goes through all six operations: is the key good, add a program, add a branch to it, read both, list all programs
// page by page, and be refused once. Run it with `KEY=… npm start`, and BASE_URL when the service is elsewhere.

import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi.d.ts';

// biome-ignore lint/style/noProcessEnv: a script of its own, whose configuration this is.
const { KEY = '', BASE_URL = 'http://127.0.0.1:4000/v1' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': KEY } });

const ping = orThrow(await client.GET('/ping'));
const made = orThrow(
  await client.POST('/api/academics/programs', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { name: 'Bachelor of Design', duration: '4 Years' },
  }),
);
const { id: branchId } = orThrow(
  await client.POST('/api/academics/branches', {
    body: { programId: made.id, name: 'Product Design', years: 2, codePrefix: 'PD', codeIsNumeric: false },
  }),
);
const program = orThrow(await client.GET('/api/academics/programs/{id}', { params: { path: { id: made.id } } }));
const branch = orThrow(await client.GET('/api/academics/branches/{id}', { params: { path: { id: branchId } } }));

const names: string[] = [];
for (let page = 1, more = true; more; page += 1) {
  const list = orThrow(await client.GET('/api/academics/programs', { params: { query: { page, size: 1 } } }));
  names.push(...list.items.map(({ name }) => name));
  more = list.hasNextPage;
}

const refused = await client.POST('/api/academics/programs', { body: { name: '', duration: '' } });
const refusal = refused.error !== undefined && 'errors' in refused.error ? refused.error.errors : {};

process.stdout.write(`${JSON.stringify({ status: ping.status, program, branch, names, refusal }, null, 2)}\n`);

/** The data of an answer; a refusal is thrown with its message. */
function orThrow<Data>({ data, error }: { data?: Data; error?: { message: string } }): Data {
  if (data === undefined) throw new Error(error?.message ?? 'The answer is empty.');
  return data;
}
