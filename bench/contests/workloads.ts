import { branchesEach, yearsEach } from '../database.ts';
import { adminKey } from '../processes.ts';

/** A request of a workload, and the expected response body. */
export interface Sample {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: unknown;
}

/** Requests to measure, which rotate over all records. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly status: 200 | 201 | 304;
  /** The number of different requests. */
  readonly count: number;
  sample(number: number): Sample;
  /** Whether each request gets its own `Idempotency-Key`. */
  readonly once?: boolean;
}

const key = { 'x-api-key': adminKey };
const json = { ...key, 'content-type': 'application/json' };
export const pageSize = 20;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
export const program = (id: number) => ({ id, name: `Bachelor of Technology, subject ${id}`, duration: '4 Years' });
const branchesOf = (id: number) =>
  numbers(branchesEach).map((k) => ({
    id: (id - 1) * branchesEach + k,
    name: `Branch ${k} of program ${id}`,
    description: 'Its required and elective courses.',
  }));
export const withYears = (id: number) => ({
  ...program(id),
  branches: branchesOf(id).map((branch) => ({
    ...branch,
    years: numbers(yearsEach).map((k) => ({ id: (branch.id - 1) * yearsEach + k, code: `L${k}`, year: k })),
  })),
});

export const query = (text: string, variables: object) => ({
  method: 'POST' as const,
  path: '/graphql',
  headers: json,
  body: JSON.stringify({ query: text, variables }),
});
export const branchFields = 'branches { id name description years { id code year } }';
const oneQuery = `query Program($id: Int!) { program(id: $id) { id name duration ${branchFields} } }`;
const pageQuery = `query Page($page: Int!) { programs(page: $page, size: ${pageSize}) { items { id name duration ${branchFields} } } }`;

const programsPath = '/v1/api/academics/programs';

/** The ids of the programs of a page. */
export function idsOn(page: number, programs: number): number[] {
  const before = (page - 1) * pageSize;
  return numbers(Math.min(pageSize, programs - before)).map((k) => before + k);
}

/** The reads of a catalog of this size. */
export function readsOf(programs: number): readonly Workload[] {
  const pages = Math.ceil(programs / pageSize);
  return [
    {
      id: 'program',
      title: 'REST: a program with its branches',
      status: 200,
      count: programs,
      sample: (id) => ({
        method: 'GET',
        path: `${programsPath}/${id}`,
        headers: key,
        expected: { ...program(id), branches: branchesOf(id) },
      }),
    },
    {
      id: 'page',
      title: `REST: a page of ${pageSize} with count`,
      status: 200,
      count: pages,
      sample: (page) => pageSample(page, idsOn(page, programs), programs),
    },
    {
      id: 'program tree',
      title: 'GraphQL: a program, its branches, their years',
      status: 200,
      count: programs,
      sample: (id) => ({ ...query(oneQuery, { id }), expected: { data: { program: withYears(id) } } }),
    },
    {
      id: 'page tree',
      title: `GraphQL: ${pageSize} programs, ${pageSize * branchesEach} branches, ${pageSize * branchesEach * yearsEach} years`,
      status: 200,
      count: pages,
      sample: (page) => ({
        ...query(pageQuery, { page }),
        expected: { data: { programs: { items: idsOn(page, programs).map(withYears) } } },
      }),
    },
  ];
}

function pageSample(page: number, ids: readonly number[], programs: number): Sample {
  const totalPages = Math.ceil(programs / pageSize);
  return {
    method: 'GET',
    path: `${programsPath}?page=${page}&size=${pageSize}`,
    headers: key,
    expected: {
      items: ids.map(program),
      pageNumber: page,
      pageSize,
      totalPages,
      count: programs,
      hasPreviousPage: page > 1,
      hasNextPage: page < totalPages,
    },
  };
}

/** Grows the catalog, so it runs last. */
export const create: Workload = {
  id: 'create',
  title: 'REST: create a program',
  status: 201,
  count: 1,
  once: true,
  sample: () => ({
    method: 'POST',
    path: programsPath,
    headers: json,
    body: JSON.stringify({ name: 'Bachelor of Arts', duration: '3 Years' }),
    expected: { name: 'Bachelor of Arts', duration: '3 Years' },
  }),
};

/** A read with more different documents than the response cache can hold. */
export function prefilled(read: Workload): Workload {
  return {
    ...read,
    count: 2_000,
    sample: (number) => {
      const { body = '{}', ...sample } = read.sample(1 + (number % read.count));
      return { ...sample, body: body.replace('{"page":', `{"number":${number},"page":`) };
    },
  };
}

/** A read with If-None-Match. Reads the ETags from a running service. */
export async function conditional(url: string, read: Workload): Promise<Workload> {
  const tags = new Map<number, string>();
  for (const id of numbers(read.count)) {
    const { path, headers } = read.sample(id);
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    tags.set(id, response.headers.get('etag') ?? '');
  }
  return {
    ...read,
    id: 'program, not modified',
    title: 'REST: a program with If-None-Match, 304',
    status: 304,
    sample: (id) => {
      const sample = read.sample(id);
      return { ...sample, headers: { ...sample.headers, 'if-none-match': tags.get(id) ?? '' }, expected: undefined };
    },
  };
}
