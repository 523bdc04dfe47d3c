/**
 * For comparison: the same GraphQL responses by mercurius, with its JIT and loaders, and hand-written SQL. No keys, no
 * limits, no metrics. Argument: the database's address.
 */
import fastify from 'fastify';
import mercurius, { type MercuriusContext, type MercuriusLoaders } from 'mercurius';
import { Pool } from 'pg';

const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });

interface Row {
  readonly id: number;
}

interface Child extends Row {
  readonly parent: number;
}

interface Program extends Row {
  readonly attributes: Readonly<Record<string, string>>;
}

async function rowsOf<Found>(name: string, text: string, values: unknown[]): Promise<Found[]> {
  return (await pool.query({ name, text, values })).rows;
}

const schema = `
  type BranchYear { id: Int! code: String! year: Int! }
  type Branch { id: Int! code: String name: String! description: String! years: [BranchYear!]! }
  type Attribute { key: String! value: String! }
  type BranchConnection { totalCount: Int! }
  type Program {
    id: Int! name: String! code: String duration: String! version: Int! createdAt: String! updatedAt: String!
    attributes: [Attribute!]! branches: [Branch!]! branchesConnection(first: Int): BranchConnection!
    matchedBranches: [Branch!]!
  }
  type ProgramPage { count: Int! items: [Program!]! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type ProgramEdge { node: Program! }
  type ProgramConnection { nodes: [Program!]! edges: [ProgramEdge!]! pageInfo: PageInfo! }
  input ProgramFilter { codes: [String!] search: String }
  enum ProgramOrder { ID_ASC }
  type Query {
    program(id: Int!): Program
    programs(page: Int = 1, size: Int = 20, filter: ProgramFilter): ProgramPage!
    programsConnection(
      filter: ProgramFilter, orderBy: ProgramOrder, orderAttribute: String, first: Int, after: String, last: Int, before: String
    ): ProgramConnection!
  }`;

const all = 'id, name, code, duration, version, created_at AS "createdAt", updated_at AS "updatedAt", attributes';

/** The columns that a request needs, and the beginning of the names of their statements. */
function columnsOf({ reply }: MercuriusContext): { readonly kind: string; readonly columns: string } {
  const { query = '' } = Object(reply.request.body);
  const isWhole = String(query).includes('Fields') || String(query).includes('version');
  return isWhole ? { kind: 'whole', columns: all } : { kind: 'short', columns: 'id, name, duration' };
}

interface Page {
  readonly page: number;
  readonly size: number;
  readonly filter?: { readonly codes?: readonly string[]; readonly search?: string } | null;
}

interface Window {
  readonly first: number;
  readonly after?: string | null;
}

const cursorOf = (id: number): string => Buffer.from(JSON.stringify(['id', id])).toString('base64url');

/** A page and its count, of the conditions of a filter; a search for words looks where the service does. */
async function filteredPage({ page, size, filter }: Page, context: MercuriusContext) {
  const { kind, columns } = columnsOf(context);
  const { codes, search } = filter ?? {};
  const words = search?.split(' ') ?? [];
  const conditions = [
    'deleted_at IS NULL',
    ...(codes === undefined ? [] : ['code = ANY ($1::text[])']),
    ...words.map((_word, index) => `searched_name LIKE search_pattern($${index + 1})`),
  ].join(' AND ');
  const values = codes === undefined ? words : [codes];
  const name = `${codes === undefined ? words.length : 'codes'}`;
  const [items, counted] = await Promise.all([
    rowsOf(
      `${kind} page ${name}`,
      `SELECT ${columns} FROM programs WHERE ${conditions} ORDER BY id
        LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, size, (page - 1) * size],
    ),
    rowsOf<{ count: number }>(`count ${name}`, `SELECT count(*)::int FROM programs WHERE ${conditions}`, values),
  ]);
  return { items, count: counted[0]?.count };
}

const resolvers = {
  Query: {
    program: async (_root: unknown, { id }: { readonly id: number }, context: MercuriusContext) => {
      const { kind, columns } = columnsOf(context);
      const text = `SELECT ${columns} FROM programs WHERE id = $1 AND deleted_at IS NULL`;
      return (await rowsOf(`${kind} program`, text, [id]))[0];
    },
    programs: async (_root: unknown, given: Page, context: MercuriusContext) => {
      if (given.filter) return filteredPage(given, context);
      const { kind, columns } = columnsOf(context);
      const text = `SELECT ${columns} FROM programs WHERE deleted_at IS NULL ORDER BY id LIMIT $1 OFFSET $2`;
      return { items: await rowsOf(`${kind} programs`, text, [given.size, (given.page - 1) * given.size]) };
    },
    programsConnection: async (_root: unknown, { first, after }: Window, context: MercuriusContext) => {
      const { kind, columns } = columnsOf(context);
      const [, id = 0]: [string?, number?] = after ? JSON.parse(Buffer.from(after, 'base64url').toString()) : [];
      const text = `SELECT ${columns} FROM programs WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT $2`;
      const rows = await rowsOf<Program>(`${kind} window`, text, [id, first + 1]);
      const nodes = rows.slice(0, first);
      const [start, end] = [nodes[0], nodes.at(-1)];
      return {
        nodes,
        edges: nodes.map((node) => ({ node })),
        pageInfo: {
          hasNextPage: rows.length > first,
          hasPreviousPage: id > 0,
          startCursor: start && cursorOf(start.id),
          endCursor: end && cursorOf(end.id),
        },
      };
    },
  },
  Program: {
    attributes: ({ attributes }: Program) =>
      Object.entries(attributes)
        .map(([key, value]) => ({ key, value }))
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    createdAt: ({ createdAt }: { readonly createdAt: Date }) => createdAt.toISOString(),
    updatedAt: ({ updatedAt }: { readonly updatedAt: Date }) => updatedAt.toISOString(),
    matchedBranches: () => [],
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
    branchesConnection: async (queries: readonly { readonly obj: Row }[]) => {
      const text = `SELECT program_id AS id, count(*)::int FROM branches
        WHERE program_id = ANY ($1::int[]) AND deleted_at IS NULL GROUP BY program_id`;
      const rows = await rowsOf<Row & { count: number }>('counts', text, [queries.map(({ obj }) => obj.id)]);
      const counts = new Map(rows.map(({ id, count }) => [id, count]));
      return queries.map(({ obj }) => ({ totalCount: counts.get(obj.id) ?? 0 }));
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
