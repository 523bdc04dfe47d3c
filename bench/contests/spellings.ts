// The page tree in other spellings, and what lists and the console request.
import { readFileSync } from 'node:fs';
import { branchesEach, createdAt } from '../database.ts';
import { branchFields, idsOn, pageSize, program, query, type Workload, withYears } from './workloads.ts';

/** An operation of the console, with the fragments of its file. */
function ofConsole(file: string, name: string): string {
  const text = readFileSync(new URL(`../../console/src/program/${file}.graphql`, import.meta.url), 'utf8');
  const parts = text.split(/\n(?=(?:query|mutation|fragment) )/);
  return parts.filter((part) => part.startsWith('fragment ') || part.startsWith(`query ${name}(`)).join('\n');
}

const fragmentQuery = `query Page($page: Int!) { programs(page: $page, size: ${pageSize}) { items { ...Tree } } }
  fragment Tree on Program { id name duration branches { ...Part } }
  fragment Part on Branch { id name description years { ... on BranchYear { id code year } } }`;
const aliasQuery = `query Page($page: Int!) { programs(page: $page, size: ${pageSize}) {
  items { id title: name duration ${branchFields} } } }`;
const connectionQuery = `query Page($after: String) { programsConnection(first: ${pageSize}, after: $after) {
  edges { node { id name duration ${branchFields} } } pageInfo { hasNextPage endCursor } } }`;
const filterQuery = `query Page($codes: [String!]!) { programs(filter: { codes: $codes }, size: ${pageSize}) {
  count items { id name duration } } }`;
const searchQuery = `query Search($search: String!) { programs(filter: { search: $search }) {
  count items { id name duration } } }`;
const listQuery = ofConsole('programs', 'Programs');
const programQuery = ofConsole('program', 'Program');

const cursorOf = (id: number): string => Buffer.from(JSON.stringify(['id', id])).toString('base64url');
const codeOf = (id: number): string => `BT${id}`;

const withColumns = (id: number) => ({
  ...program(id),
  code: codeOf(id),
  version: 1,
  attributes: [],
  createdAt,
  updatedAt: createdAt,
});

/** In the order of the selection, which the comparison disregards. */
export function spellingsOf(programs: number): readonly Workload[] {
  const pages = Math.ceil(programs / pageSize);
  const ids = (page: number) => idsOn(page, programs);
  const after = (page: number) => (page === 1 ? null : cursorOf((page - 1) * pageSize));
  const pageInfo = (page: number) => ({ hasNextPage: page < pages, endCursor: cursorOf(ids(page).at(-1) ?? 0) });
  const read = (id: string, count: number, sample: (number: number) => [string, object, object]): Workload => ({
    id,
    title: `GraphQL: ${id}`,
    status: 200,
    count,
    sample: (number) => {
      const [text, variables, data] = sample(number);
      return { ...query(text, variables), expected: { data } };
    },
  });
  /** With as many digits as few others, so that a search for its code finds one. */
  const firstFound = Math.floor(programs / 10) + 1;
  return [
    read('page tree, fragment', pages, (page) => [
      fragmentQuery,
      { page },
      { programs: { items: ids(page).map(withYears) } },
    ]),
    read('page tree, alias', pages, (page) => [
      aliasQuery,
      { page },
      {
        programs: {
          items: ids(page)
            .map(withYears)
            .map(({ name: title, ...others }) => ({ title, ...others })),
        },
      },
    ]),
    read('page tree, connection', pages, (page) => [
      connectionQuery,
      { after: after(page) },
      { programsConnection: { edges: ids(page).map((id) => ({ node: withYears(id) })), pageInfo: pageInfo(page) } },
    ]),
    read('filtered page', pages, (page) => [
      filterQuery,
      { codes: ids(page).map(codeOf) },
      { programs: { count: ids(page).length, items: ids(page).map(program) } },
    ]),
    read('search', programs - firstFound, (number) => [
      searchQuery,
      { search: `subject ${codeOf(firstFound + number - 1)}` },
      { programs: { count: 1, items: [program(firstFound + number - 1)] } },
    ]),
    read('console, list', pages, (page) => [
      listQuery,
      {
        filter: {},
        orderBy: 'ID_ASC',
        first: pageSize,
        after: after(page),
        withMatches: false,
        withAttributes: true,
      },
      {
        programsConnection: {
          nodes: ids(page).map((id) => ({ ...withColumns(id), branchesConnection: { totalCount: branchesEach } })),
          pageInfo: { ...pageInfo(page), hasPreviousPage: page > 1, startCursor: cursorOf(ids(page)[0] ?? 0) },
        },
      },
    ]),
    read('console, program', programs, (id) => [programQuery, { id }, { program: withColumns(id) }]),
  ];
}
