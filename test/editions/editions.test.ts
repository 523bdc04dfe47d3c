import { createHash } from 'node:crypto';
import { waitingForLocks } from '@service/postgres/testing/table-lock';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { userIdOf } from '../support/credentials/keys.ts';
import { clientForTest } from '../support/database.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const get = (address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(server.url + address, { method, headers: { 'x-api-key': adminKey, ...headers } });

const freeze = async (name: string, note = '', key = adminKey) => {
  const { body } = await server.graphql(
    `mutation ($name: String!, $note: String) {
      createEdition(name: $name, note: $note) { id nodeId name note at checksum programs branches createdBy }
    }`,
    { name, note },
    key,
  );
  return body;
};

const fileOf = (name: string) => `/export/editions/${encodeURIComponent(name)}.jsonl`;

describe('an edition', () => {
  it('is the catalog as canonical lines, programs before branches, whose checksum anybody can compute', async () => {
    const { id } = await server.make.program({ name: 'Physics "é" 𝄞', duration: '3 Years', code: 'PH' });
    await server.graphql(
      `mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "z", value: "1" }, { key: "a", value: "2" }] }) { id } }`,
    );
    const branch = await server.make.branch(id, { name: 'Optics', years: 2, codePrefix: 'O' });
    const { data } = await freeze('2026/27', 'For print');
    const response = await get(fileOf('2026/27'));
    const bytes = Buffer.from(await response.arrayBuffer());

    expect(data.createEdition).toMatchObject({
      name: '2026/27',
      note: 'For print',
      programs: 1,
      branches: 1,
      createdBy: 'admin',
    });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(data.createEdition.checksum);
    expect(bytes.toString()).toBe(
      [
        `{"at":"${data.createEdition.at}","format":1,"kind":"edition","name":"2026/27"}`,
        `{"attributes":{"a":"2","z":"1"},"code":"PH","duration":"3 Years","id":${id},"kind":"program","name":"Physics \\"é\\" 𝄞"}`,
        `{"attributes":{},"code":null,"codeIsNumeric":true,"codePrefix":"O","description":"","id":${branch.id},"kind":"branch","name":"Optics","programId":${id},"years":2}`,
        '',
      ].join('\n'),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${data.createEdition.checksum}"`,
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="edition-2026_27.jsonl"; filename*=UTF-8''edition-2026_27.jsonl`,
    });
    expect((await get(fileOf('2026/27'), { 'if-none-match': `"${data.createEdition.checksum}"` })).status).toBe(304);
  });

  it('has records and definitions of one instant, also while both are being changed', async () => {
    const { id } = await server.make.program({ name: 'Old' });
    await server.graphql('mutation { saveAttributeDefinition(input: { key: "state", label: "Old" }) { id } }');
    const other = await clientForTest(server.database.url);
    await other.query(`BEGIN; LOCK TABLE attribute_definitions IN ACCESS EXCLUSIVE MODE;
      UPDATE attribute_definitions SET label = 'New' WHERE key = 'state';
      UPDATE programs SET name = 'New' WHERE id = ${id}`);
    const frozen = freeze('of one instant');
    await expect
      .poll(() => server.database.query(`SELECT 1 ${waitingForLocks}`), { timeout: 20_000, interval: 5 })
      .toHaveLength(1);
    await other.query('COMMIT');
    expect((await frozen).errors).toBeUndefined();
    const lines = (await (await get(fileOf('of one instant'))).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { name } = lines.find((line) => line.kind === 'program' && line.id === id);
    expect(lines[0].definitions.state.label).toBe(name);
    await server.graphql('mutation { deleteAttributeDefinition(key: "state") { key } }');
  });

  it('is one of ten that a caller makes in 24 hours, but for administrators', async () => {
    const editor = await server.makeKey({ user: 'freezing', role: 'editor' });
    for (let made = 1; made <= 10; made += 1)
      expect((await freeze(`daily ${made}`, '', editor)).errors).toBeUndefined();

    expect((await freeze('daily 11', '', editor)).errors).toMatchObject([
      {
        message:
          'You have made 10 editions within 24 hours, which is the limit. Please wait, or ask an administrator to make it.',
        extensions: { code: 'RATE_LIMITED', rule: 'TOO_MANY_EDITIONS_OF_DAY' },
      },
    ]);
    // Limited is the user, not the name.
    const rename = `mutation { updateUser(id: ${await userIdOf(server.database, 'freezing')}, input: { name: "renamed" }) { id } }`;
    await server.graphql(rename);
    expect((await freeze('daily 11', '', editor)).errors[0].extensions.code).toBe('RATE_LIMITED');
    const others = await server.makeKey({ user: 'freezing', role: 'editor' });
    expect((await freeze('daily 11', '', others)).errors).toBeUndefined();
    expect((await freeze('daily 12')).errors).toBeUndefined();
  });

  it('stays as it is when the catalog changes, and is exported in each format', async () => {
    const { id } = await server.make.program({ name: 'Before' });
    const kept = await (await get('/export/catalog.csv')).text();
    await freeze('kept');
    const bytes = await (await get(fileOf('kept'))).text();
    await server.graphql(
      `mutation { updateProgram(id: ${id}, input: { name: "After" }) { id } deleteProgram(id: ${id}) { id } }`,
    );

    expect(await (await get('/export/catalog.csv?edition=kept')).text()).toBe(kept);
    expect(await (await get(fileOf('kept'))).text()).toBe(bytes);
    expect((await runCommand(server.database.url, ['export', '--edition', 'kept'])).out).toBe(kept);
  });

  it.each(['2027/28 ', '../x', 'سنة ٢٠٢٦', 'a b"c;d\'e', '%2F', 'x'.repeat(100)])('may be called %j', async (name) => {
    const { data } = await freeze(name);
    const response = await get(fileOf(data.createEdition.name));

    expect(data.createEdition.name).toBe(name.trim());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9._ -]+"/);
    const [head = ''] = (await response.text()).split('\n');
    expect(JSON.parse(head)).toMatchObject({ kind: 'edition', name: name.trim() });
  });

  it('may be made beside another in one document with a key', async () => {
    const both = 'mutation { a: createEdition(name: "a") { programs } b: createEdition(name: "b") { programs } }';
    const { body } = await server.graphql(both).set('idempotency-key', 'two-editions');
    expect(body.errors).toBeUndefined();
    expect(body.data.b).toEqual(body.data.a);
  });

  it('is found by its name in each form of Unicode, and by no name that it could not have', async () => {
    const { checksum } = (await freeze('É 2026')).data.createEdition;
    const decomposed = encodeURIComponent('E\u0301 2026');
    const compare = async (edition: string) => {
      const { body } = await server.graphql(
        `query ($edition: String!) { compareCatalogs(from: { edition: $edition }, to: { now: true }) { created } }`,
        { edition },
      );
      return body.errors?.[0].extensions.code ?? 'FOUND';
    };
    const doors = (name: string) => [
      `/export/editions/${name}.jsonl`,
      `/export/catalog.csv?edition=${name}`,
      `/export/comparison.xlsx?to=now&from=edition:${name}`,
    ];
    const statuses = async (name: string) => {
      const found: number[] = [];
      for (const door of doors(name)) {
        const response = await get(door);
        await response.arrayBuffer();
        found.push(response.status);
      }
      return found;
    };

    // Read to its end: a user has one export at a time.
    const edition = await get(`/export/editions/${decomposed}.jsonl`);
    await edition.arrayBuffer();
    expect(edition.headers.get('etag')).toBe(`"${checksum}"`);
    expect([await statuses(decomposed), await compare('E\u0301 2026')]).toEqual([[200, 200, 200], 'FOUND']);
    expect([await statuses('%00'), await compare('\0')]).toEqual([[400, 400, 400], 'VALIDATION_FAILED']);
    expect([await statuses('none'), await compare('none')]).toEqual([[404, 404, 404], 'NOT_FOUND']);
  });

  it('has a name of its own, of one line', async () => {
    await freeze('twice');

    expect((await freeze('twice')).errors[0]).toMatchObject({
      message: 'Edition twice exists already.',
      extensions: { code: 'CONFLICT' },
    });
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)]) {
      expect((await freeze(name)).errors[0].extensions.code, name).toBe('VALIDATION_FAILED');
    }
  });

  it.each([
    'UPDATE editions SET note = $$x$$',
    'DELETE FROM editions',
    'UPDATE edition_chunks SET lines = $$x$$',
    'DELETE FROM edition_chunks',
    'TRUNCATE edition_chunks, editions',
    'INSERT INTO edition_chunks SELECT id, 7, $$x$$ FROM editions',
  ])('refuses %s in the database', async (statement) => {
    await expect(server.database.query(statement)).rejects.toThrow('editions are never changed');
  });

  it('is frozen by editors and read by viewers', async () => {
    const viewer = await server.makeKey({ role: 'viewer' });
    const guest = await server.makeKey({ role: 'guest' });
    const list = (key: string) => server.graphql('{ editions { name } }', {}, key);

    expect(
      (await server.graphql('mutation { createEdition(name: "no") { id } }', {}, viewer)).body.errors[0].extensions
        .code,
    ).toBe('FORBIDDEN');
    expect((await list(viewer)).body.data.editions).not.toHaveLength(0);
    expect((await list(guest)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await fetch(server.url + fileOf('kept'), { headers: { 'x-api-key': guest } })).status).toBe(403);
  });

  it('is verified and deleted by the command line, with an entry in the audit log', async () => {
    await freeze('to go');
    const { url } = server.database;
    const verified = await runCommand(url, ['editions', 'verify', 'to go', '--json']);
    const deleted = await runCommand(url, ['editions', 'delete', 'to go']);

    expect(JSON.parse(verified.out)).toMatchObject([{ name: 'to go', intact: true }]);
    expect(deleted.exitCode).toBe(0);
    expect((await get(fileOf('to go'))).status).toBe(404);
    const { body } = await server.graphql('{ auditLog(first: 1) { nodes { action subject actor before after } } }');
    expect(body.data.auditLog.nodes).toMatchObject([
      { action: 'DELETE', subject: 'EDITION', actor: 'cli', before: { name: 'to go' }, after: null },
    ]);
    await expect(server.database.query('DELETE FROM editions')).rejects.toThrow('editions are never changed');
  });

  it('is a node', async () => {
    const { data } = await freeze('node');
    const { body } = await server.graphql('query ($id: ID!) { node(nodeId: $id) { ... on Edition { name } } }', {
      id: data.createEdition.nodeId,
    });

    expect(body).toEqual({ data: { node: { name: 'node' } } });
  });

  it('and its comparison have the headers of a GET by HEAD', async () => {
    await freeze('by HEAD');
    for (const address of [
      fileOf('by HEAD'),
      '/export/catalog.json?edition=by HEAD',
      '/export/comparison.xlsx?from=edition:by HEAD&to=now',
    ]) {
      const named = async (method: string) => {
        const response = await get(address, {}, method);
        const headers = ['etag', 'content-type', 'content-disposition'].map((name) => response.headers.get(name));
        const body = await response.text();
        return [response.status, headers, method === 'HEAD' ? body : ''];
      };
      expect([address, await named('HEAD')]).toEqual([address, await named('GET')]);
    }
  });
});

describe('an export as of a time', () => {
  it.each([
    ['asOf=2999-01-01', 'asOf', 'asOf must not be in the future.'],
    ['asOf=2001-01-01', 'asOf', expect.stringMatching(/^asOf must not be before 20.*, when the audit log begins\.$/)],
    ['asOf=yesterday', 'asOf', 'asOf must be a day (its end, UTC) or a time such as 2026-11-21T09:30:00Z, once.'],
    ['edition=kept&asOf=2026-01-01', 'asOf', 'asOf must not be given together with edition.'],
    ['edition=kept&search=x', 'search', 'search works with the present catalog alone.'],
    ['edition=kept&orderBy=NAME_ASC', 'orderBy', 'orderBy works with the present catalog alone.'],
    [
      'edition=kept&or=[{"updatedSince":"2026-01-01T00:00:00Z"}]',
      'updatedSince',
      'updatedSince works with the present catalog alone.',
    ],
  ])('rejects %s', async (query, field, message) => {
    const response = await get(`/export/catalog.json?${query}`);

    expect([response.status, await response.json()]).toMatchObject([400, { errors: { [field]: [message] } }]);
  });

  it('takes filters by ids, codes, durations and attributes', async () => {
    const { id } = await server.make.program({ name: 'Chosen', duration: '9 Years', code: 'CHOSEN' });
    await server.graphql(
      `mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "10" }] }) { id } }`,
    );
    await freeze('filtered');
    for (const filter of [
      `ids=${id}`,
      'codes=CHOSEN',
      'duration=9%20Years',
      'attributes.level=10',
      'and=[{"attributes":[{"key":"level","from":"9"}]}]',
    ]) {
      const rows = await (await get(`/export/catalog.json?edition=filtered&${filter}`)).json();
      expect([filter, rows]).toMatchObject([filter, [{ program_name: 'Chosen' }]]);
    }
  });
});
