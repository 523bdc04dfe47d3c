/**
 * For comparison: the same GraphQL responses by mercurius, with its JIT and loaders, and hand-written SQL. No keys, no
 * limits, no metrics. Argument: the database's address.
 */
import fastify from 'fastify';
import mercurius, { type MercuriusLoaders } from 'mercurius';
import { Pool } from 'pg';

const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });

interface Row {
  readonly id: number;
}

interface Child extends Row {
  readonly parent: number;
}

async function rowsOf<Found>(name: string, text: string, values: unknown[]): Promise<Found[]> {
  return (await pool.query({ name, text, values })).rows;
}

const schema = `
  type BranchYear { id: Int! code: String! year: Int! }
  type Branch { id: Int! name: String! description: String! years: [BranchYear!]! }
  type Program { id: Int! name: String! duration: String! branches: [Branch!]! }
  type ProgramPage { items: [Program!]! }
  type Query { program(id: Int!): Program programs(page: Int!, size: Int!): ProgramPage! }`;

const resolvers = {
  Query: {
    program: async (_root: unknown, { id }: { readonly id: number }) => {
      const text = 'SELECT id, name, duration FROM programs WHERE id = $1 AND deleted_at IS NULL';
      return (await rowsOf('program', text, [id]))[0];
    },
    programs: async (_root: unknown, { page, size }: { readonly page: number; readonly size: number }) => {
      const text = `SELECT id, name, duration FROM programs WHERE deleted_at IS NULL ORDER BY id
        LIMIT $1 OFFSET $2`;
      return { items: await rowsOf('programs', text, [size, (page - 1) * size]) };
    },
  },
};

/** The rows of each parent, in the order of the parents. */
function inGroups(queries: readonly { readonly obj: Row }[], rows: readonly Child[]): Child[][] {
  const groups = new Map<number, Child[]>(queries.map(({ obj }) => [obj.id, []]));
  for (const row of rows) groups.get(row.parent)?.push(row);
  return queries.map(({ obj }) => groups.get(obj.id) ?? []);
}

const loaders: MercuriusLoaders = {
  Program: {
    branches: async (queries: readonly { readonly obj: Row }[]) => {
      const text = `SELECT id, name, description, program_id AS parent FROM branches
        WHERE program_id = ANY ($1::int[]) AND deleted_at IS NULL ORDER BY id`;
      return inGroups(queries, await rowsOf<Child>('branches', text, [queries.map(({ obj }) => obj.id)]));
    },
  },
  Branch: {
    years: async (queries: readonly { readonly obj: Row }[]) => {
      const text = `SELECT id, code, year, branch_id AS parent FROM branch_years
        WHERE branch_id = ANY ($1::int[]) ORDER BY year`;
      return inGroups(queries, await rowsOf<Child>('years', text, [queries.map(({ obj }) => obj.id)]));
    },
  },
};

const app = fastify();
await app.register(mercurius, { schema, resolvers, loaders, jit: 1 });
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
