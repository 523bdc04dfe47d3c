import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const query = `{
  catalogStats {
    programs branches years
    programsByDuration { duration count }
    programsByBranches { branches count }
    branchesByYears { years count }
  }
}`;

describe('catalogStats', () => {
  it('is all zeros for an empty catalog', async () => {
    expect((await server.graphql(query)).body.data.catalogStats).toEqual({
      programs: 0,
      branches: 0,
      years: 0,
      programsByDuration: [],
      programsByBranches: [],
      branchesByYears: [],
    });
  });

  it('counts what is not deleted, in four statements', async () => {
    const physics = await server.make.program({ name: 'Physics', duration: '4 Years' });
    const law = await server.make.program({ name: 'Law', duration: '3 Years' });
    await server.make.program({ name: 'Arts', duration: '4 Years' });
    const deleted = await server.make.program({ name: 'Alchemy', duration: '7 Years' });
    await server.make.branch(deleted.id, { years: 7 });
    await server.graphql(`mutation { deleteProgram(id: ${deleted.id}) { id } }`);
    await server.make.branch(physics.id, { years: 4 });
    await server.make.branch(physics.id, { years: 2 });
    await server.make.branch(law.id, { years: 2 });
    server.statements.length = 0;

    const response = await server.graphql(query);

    expect(response.body.data.catalogStats).toEqual({
      programs: 3,
      branches: 3,
      years: 8,
      programsByDuration: [
        { duration: '4 Years', count: 2 },
        { duration: '3 Years', count: 1 },
      ],
      programsByBranches: [
        { branches: 0, count: 1 },
        { branches: 1, count: 1 },
        { branches: 2, count: 1 },
      ],
      branchesByYears: [
        { years: 2, count: 2 },
        { years: 4, count: 1 },
      ],
    });
    expect(server.statements).toHaveLength(4);
  });

  it('does not count years that are not selected', async () => {
    server.statements.length = 0;
    await server.graphql('{ catalogStats { programs branches } } # without years');

    // A key may be looked up again meanwhile.
    const statements = server.statements.filter((sql) => !sql.includes('FROM api_keys'));
    expect(statements).toHaveLength(1);
    expect(statements.join()).not.toContain('branch_years');
  });

  it('requires the permission programs:read', async () => {
    const response = await server.graphql('{ catalogStats { programs } }', {}, await server.makeKey({ role: 'guest' }));
    expect(response.body.errors[0]).toMatchObject({ message: 'You need the permission programs:read.' });
  });

  describe('changesPerDay', () => {
    const changesPerDay = async (args = '') => {
      const { body } = await server.graphql(`{ catalogStats { changesPerDay${args} { day count } } }`);
      return body.data.catalogStats.changesPerDay;
    };
    const utcDay = (daysAgo: number) => {
      const day = new Date(Date.now() - daysAgo * 86_400_000);
      return `${day.toISOString().slice(0, 10)}T00:00:00.000Z`;
    };
    const writeEntry = (at: string, action: string, subject: string) =>
      server.database.query(
        'INSERT INTO audit_entries (at, actor, action, subject, subject_id) VALUES ($1, $2, $3, $4, 1)',
        [at, 'ada', action, subject],
      );

    it('counts the changes of records on each day in UTC, today included, days without any too', async () => {
      const [today] = await changesPerDay('(days: 1)');
      await writeEntry(utcDay(2), 'create', 'Program');
      await writeEntry(utcDay(1).replace('T00:00:00.000', 'T23:59:59.999'), 'delete', 'Branch');
      await writeEntry(utcDay(1), 'update', 'User');
      await writeEntry(utcDay(1), 'import', 'Catalog');
      await server.make.program();

      expect(await changesPerDay('(days: 4)')).toEqual([
        { day: utcDay(3), count: 0 },
        { day: utcDay(2), count: 1 },
        { day: utcDay(1), count: 1 },
        { day: utcDay(0), count: today.count + 1 },
      ]);
    });

    it('has thirty days unless another number is given, at most 366', async () => {
      expect(await changesPerDay()).toHaveLength(30);
      expect(await changesPerDay('(days: 366)')).toHaveLength(366);
      for (const days of [0, -1, 367]) {
        const { body } = await server.graphql(`{ catalogStats { changesPerDay(days: ${days}) { count } } }`);
        expect(body.errors[0].extensions.errors).toEqual({ days: [expect.any(String)] });
      }
    });
  });
});
