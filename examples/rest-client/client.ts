// Uses all six operations: checks the key, creates a program and a branch, retrieves both, lists all programs page by
// page, and gets a validation error. Run it with `KEY=… npm start`, and set BASE_URL if the service is not local.

import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi.d.ts';

// biome-ignore lint/style/noProcessEnv: a standalone script, configured by its environment.
const { KEY = '', BASE_URL = 'http://127.0.0.1:4000/v1' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': KEY } });

const ping = orThrow(await client.GET('/ping'));
const created = orThrow(
  await client.POST('/api/academics/programs', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { name: 'Bachelor of Design', duration: '4 Years' },
  }),
);
const { id: branchId } = orThrow(
  await client.POST('/api/academics/branches', {
    body: { programId: created.id, name: 'Product Design', years: 2, codePrefix: 'PD', codeIsNumeric: false },
  }),
);
const program = orThrow(await client.GET('/api/academics/programs/{id}', { params: { path: { id: created.id } } }));
const branch = orThrow(await client.GET('/api/academics/branches/{id}', { params: { path: { id: branchId } } }));

const names: string[] = [];
for (let page = 1, more = true; more; page += 1) {
  const list = orThrow(await client.GET('/api/academics/programs', { params: { query: { page, size: 1 } } }));
  names.push(...list.items.map(({ name }) => name));
  more = list.hasNextPage;
}

const rejected = await client.POST('/api/academics/programs', { body: { name: '', duration: '' } });
const problems = rejected.error !== undefined && 'errors' in rejected.error ? rejected.error.errors : {};

process.stdout.write(`${JSON.stringify({ status: ping.status, program, branch, names, problems }, null, 2)}\n`);

/** The data of a response. @throws Error with the message of an error response. */
function orThrow<Data>({ data, error }: { data?: Data; error?: { message: string } }): Data {
  if (data === undefined) throw new Error(error?.message ?? 'The response is empty.');
  return data;
}
