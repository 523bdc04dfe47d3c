import { beforeAll, describe, expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';

const server = useSharedServer();

describe('the audit log', () => {
  it('lists actor, request, before and after of each change, newest first, in pages', async () => {
    const created = await server
      .rest('post', '/api/academics/programs')
      .set('X-Request-Id', 'audit-1')
      .send({ name: 'Old', duration: '1' });
    const { id } = created.body;
    await server.graphql('mutation ($id: Int!) { updateProgram(id: $id, input: { name: "New" }) { id } }', { id });
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id });
    const query = `query ($id: Int!, $first: Int, $after: String) {
      auditLog(filter: { subject: PROGRAM, subjectId: $id }, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } nodes { actor keyId requestId action before after }
      }
    }`;

    const page = (await server.graphql(query, { id, first: 2 })).body.data.auditLog;
    const rest = (await server.graphql(query, { id, first: 2, after: page.pageInfo.endCursor })).body.data.auditLog;

    const by = { actor: 'admin', keyId: expect.any(Number), requestId: expect.any(String) };
    const old = programSnapshot({ name: 'Old', duration: '1' });
    expect(page).toEqual({
      totalCount: 3,
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
      nodes: [
        { ...by, action: 'DELETE', before: { ...old, name: 'New' }, after: null },
        { ...by, action: 'UPDATE', before: old, after: { ...old, name: 'New' } },
      ],
    });
    expect(rest.nodes).toEqual([{ ...by, requestId: 'audit-1', action: 'CREATE', before: null, after: old }]);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  describe('filtered', () => {
    const list = async (filter: object) => {
      const { body } = await server.graphql(
        `query ($filter: AuditLogFilter) {
          auditLog(filter: $filter) { totalCount nodes { action subject subjectId actor } }
        }`,
        { filter },
      );
      return body;
    };
    const entriesOf = async (filter: object) => (await list(filter)).data.auditLog;
    const at = (day: number): string => `2020-01-${String(day).padStart(2, '0')}T12:00:00.000Z`;

    beforeAll(async () => {
      const rows = [
        [1, 'ada', 'create', 'Program', 1],
        [2, 'ada', 'update', 'Program', 1],
        [3, 'bob', 'delete', 'Branch', 1],
        [4, 'bob', 'rotate', 'ApiKey', 7],
        [5, 'cli', 'import', 'Catalog', null],
        [6, 'ada', 'defrost', 'Fridge', 2],
      ] as const;
      for (const [day, ...values] of rows) {
        await server.database.query(
          'INSERT INTO audit_entries (at, actor, action, subject, subject_id) VALUES ($1, $2, $3, $4, $5)',
          [at(day), ...values],
        );
      }
    });
    const old = { until: '2020-02-01T00:00:00Z' };
    const create = { action: 'CREATE', subject: 'PROGRAM', subjectId: 1, actor: 'ada' };
    const update = { ...create, action: 'UPDATE' };
    const remove = { action: 'DELETE', subject: 'BRANCH', subjectId: 1, actor: 'bob' };
    const rotate = { action: 'ROTATE', subject: 'API_KEY', subjectId: 7, actor: 'bob' };
    const load = { action: 'IMPORT', subject: 'CATALOG', subjectId: null, actor: 'cli' };
    /** Written by a later version. */
    const unknown = { action: null, subject: null, subjectId: 2, actor: 'ada' };

    it.each([
      [{}, [unknown, load, rotate, remove, update, create]],
      [{ actions: ['CREATE', 'ROTATE'] }, [rotate, create]],
      [{ actions: [] }, []],
      [{ subject: 'PROGRAM' }, [update, create]],
      [{ subject: 'BRANCH', subjectId: 1 }, [remove]],
      [{ actor: 'ada' }, [unknown, update, create]],
      [{ actor: 'nobody' }, []],
      [{ since: at(4) }, [unknown, load, rotate]],
      [{ until: at(4) }, [remove, update, create]],
      [{ since: at(2), until: at(4) }, [remove, update]],
      [{ actor: 'ada', actions: ['UPDATE'], subject: 'PROGRAM', since: at(2) }, [update]],
    ])('by %j has the entries that match all of it', async (filter, expected) => {
      expect(await entriesOf({ ...old, ...filter })).toEqual({ totalCount: expected.length, nodes: expected });
    });

    it('by an id without a type is rejected, as ids of different types are equal', async () => {
      expect((await list({ subjectId: 1 })).errors[0].extensions).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: { filter: ['subjectId must be given together with subject.'] },
      });
    });

    it('by a time is in the order of time, in pages that are joined by cursors', async () => {
      const page = async (args: string) => {
        const filter = 'filter: { until: "2020-01-07T00:00:00Z" }';
        const { body } = await server.graphql(
          `{ auditLog(${filter}, ${args}) { nodes { at } pageInfo { startCursor endCursor } } }`,
        );
        const { nodes, pageInfo } = body.data.auditLog;
        return [nodes.map((node: { at: string }) => node.at), pageInfo];
      };
      // Written last, by a transaction that began between others, and at the same time as another.
      const insert = `INSERT INTO audit_entries (at, actor, action, subject, subject_id) VALUES ('${at(4)}', 'eve', 'update', 'Program', 9)`;
      await server.database.query(insert);
      const [first, { endCursor }] = await page('first: 3');
      const [second, { startCursor }] = await page(`first: 2, after: "${endCursor}"`);
      const [third] = await page(`first: 9, after: "${(await page(`first: 2, after: "${endCursor}"`))[1].endCursor}"`);

      expect([...first, ...second, ...third]).toEqual([6, 5, 4, 4, 3, 2, 1].map(at));
      expect((await page(`last: 3, before: "${startCursor}"`))[0]).toEqual(first);
    });

    it.each([
      ['audit_entries_change_log_idx', `count(*) FROM audit_entries WHERE at < '2020-01-03' AND subject = 'Program'`],
      ['audit_entries_at_id_idx', `* FROM audit_entries WHERE at < '2020-01-03' ORDER BY at DESC, id DESC LIMIT 21`],
      ['audit_entries_actor_id_idx', `* FROM audit_entries WHERE actor = 'nobody' ORDER BY id DESC LIMIT 21`],
      ['audit_entries_rare_action_id_idx', `* FROM audit_entries WHERE action IN ('rotate') ORDER BY id DESC LIMIT 21`],
    ])('reads an index, %s, not the log', async (index, query) => {
      expect(JSON.stringify(await server.database.query(`EXPLAIN SELECT ${query}`))).toContain(index);
    });
  });

  it.each(['UPDATE audit_entries SET actor = $$x$$', 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'is append-only: %s fails',
    async (sql) => {
      await expect(server.database.query(sql)).rejects.toThrow('never changed or deleted');
    },
  );

  it('has no entry for a failed change', async () => {
    const count = () => server.database.query('SELECT count(*)::int FROM audit_entries');
    const before = await count();
    await server.graphql('mutation { updateProgram(id: 999, input: { name: "x" }) { id } }');
    await server.rest('post', '/api/academics/branches').send({ programId: 999, name: 'x', years: 1 });
    expect(await count()).toEqual(before);
  });

  it.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '2026-01-01t00:00:00z'])(
    'is found by every instant that RFC 3339 can write: %s',
    async (instant) => {
      for (const filter of [`since: "${instant}"`, `until: "${instant}"`]) {
        const { body } = await server.graphql(`{ auditLog(filter: { ${filter} }) { totalCount } }`, {}, adminKey);
        expect(body).toEqual({ data: { auditLog: { totalCount: expect.any(Number) } } });
      }
    },
  );
});
