import { adminKey } from '../support/server.ts';

/** Below the limits of 102,400 bytes for a body and 16,384 for headers. */
const bodyBytes = 95_000;
const headerBytes = 14_000;

/** The heaviest values that fit into a number of bytes of JSON. */
export const fillers: Readonly<Record<string, (bytes: number) => unknown>> = {
  'a long string': (bytes) => 'x'.repeat(bytes),
  'many digits': (bytes) => '9'.repeat(bytes),
  'an instant with many digits': (bytes) => `2026-01-01T00:00:00.${'1'.repeat(bytes)}Z`,
  spaces: (bytes) => ` ${' '.repeat(bytes)} `,
  'spaces between letters': (bytes) => 'a '.repeat(bytes / 2),
  'combining marks in descending order': (bytes) => '\u0315'.repeat(bytes / 4) + '\u0316'.repeat(bytes / 4),
  'combining marks in turns': (bytes) => 'e\u0315\u0316\u0345\u0334'.repeat(bytes / 9),
  'combining marks, four times too many': (bytes) => '\u0345\u0301'.repeat(Math.min(bytes / 4, 4_000)),
  'characters that expand when normalized': (bytes) => '\ufdfa'.repeat(bytes / 3),
  'characters of two code units': (bytes) => '\u{1D518}'.repeat(bytes / 4),
  'quotes and escapes': (bytes) => '\\"'.repeat(bytes / 4),
  'a list of ids': (bytes) => Array.from({ length: bytes / 2 }, () => 1),
  'a list of nulls': (bytes) => Array.from({ length: bytes / 5 }, () => null),
  'a list of texts': (bytes) => Array.from({ length: bytes / 4 }, () => ''),
  'a list of objects': (bytes) => Array.from({ length: bytes / 3 }, () => ({})),
  'a list of lists': (bytes) => [Array.from({ length: bytes / 3 }, () => [])],
  'a wide object': (bytes) => Object.fromEntries(Array.from({ length: bytes / 12 }, (_, index) => [`f${index}`, 1])),
  'an object of similar names': (bytes) =>
    Object.fromEntries(Array.from({ length: bytes / 20 }, (_, index) => [`duratio${index}`, null])),
  'an object of long names': (bytes) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${'n'.repeat(bytes / 45)}${index}`, 1])),
  'a deep list': (bytes) => nested(Math.min(bytes / 2, 2_000), (inner) => [inner]),
  'a deep object': (bytes) => nested(Math.min(bytes / 12, 2_000), (inner) => ({ filter: inner })),
  'a huge number': () => 1e300,
  'an object that is its own prototype': (bytes) => JSON.parse(`{"__proto__":${JSON.stringify('x'.repeat(bytes))}}`),
};

function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = around(value);
  return value;
}

export type Place = (filler: (bytes: number) => unknown) => string;

const graphql = (query: string, place: (value: unknown) => object, bytes = bodyBytes): Place => {
  return (filler) => post('/graphql', { query, ...place(filler(bytes)) });
};
const rest = (path: string, place: (value: unknown) => object, fields = ''): Place => {
  return (filler) => post(`/v1/api/academics/${path}`, place(filler(bodyBytes)), fields);
};
const aliased = (field: string) => Array.from({ length: 50 }, (_, index) => `a${index}: ${field}`).join(' ');
const programs = 'query ($f: ProgramFilter) { programs(filter: $f) { count } }';
const create = 'mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }';

/** Where a request can carry a value. */
export const places: Readonly<Record<string, Place>> = {
  'the name of a program': rest('programs', (name) => ({ name, duration: '1' })),
  'all fields of a program': rest('programs', (value) => ({
    name: part(value),
    duration: part(value),
    code: part(value),
  })),
  'an unknown field': rest('programs', (unknown) => ({ name: 'x', unknown })),
  'an unknown field of a request with an Idempotency-Key': rest(
    'programs',
    (unknown) => ({ unknown }),
    'Idempotency-Key: heavy\r\n',
  ),
  'the description of a branch': rest('branches', (description) => ({
    programId: 1,
    name: 'x',
    years: 1,
    description,
  })),
  'the number of years': rest('branches', (years) => ({ programId: 1, name: 'x', years })),
  'a path': (filler) => get(`/v1/api/academics/programs/${asciiText(filler, headerBytes)}`),
  'a page': (filler) => get(`/v1/api/academics/programs?page=${asciiText(filler, headerBytes)}`),
  'a header': (filler) => get('/v1/ping', `Accept: ${asciiText(filler, headerBytes).replaceAll('%20', ' ')}\r\n`),
  'a variable': graphql('query ($page: Int) { programs(page: $page) { count } }', (page) => ({ variables: { page } })),
  'a variable of an enumeration': graphql('query ($o: ProgramOrder) { programs(orderBy: $o) { count } }', (o) => ({
    variables: { o },
  })),
  'a variable that is not declared': graphql(programs, (other) => ({ variables: { other } })),
  variables: graphql(programs, (variables) => ({ variables })),
  input: graphql(create, (input) => ({ variables: { input } })),
  'a field of input': graphql(create, (name) => ({ variables: { input: { name, duration: '1' } } })),
  'a filter': graphql(programs, (f) => ({ variables: { f } })),
  'an attribute of a filter': graphql(
    'query ($a: String!) { branchesConnection(first: 1, filter: { attributes: [{ key: "a", value: $a }] }) { totalCount } }',
    (a) => ({ variables: { a } }),
  ),
  'codes of a filter': graphql(programs, (code) => ({ variables: { f: { codes: [code] } } })),
  'a search': graphql(programs, (search) => ({ variables: { f: { search } } })),
  'a search under 50 aliases': graphql(
    `query ($f: ProgramFilter) { ${aliased('programs(filter: $f) { count }')} }`,
    (search) => ({ variables: { f: { search } } }),
  ),
  'a list of ids': graphql(programs, (ids) => ({ variables: { f: { ids } } })),
  'an instant': graphql(programs, (createdSince) => ({ variables: { f: { createdSince } } })),
  'a cursor': graphql(
    'query ($after: String) { programsConnection(after: $after, orderBy: CREATED_ASC) { totalCount } }',
    (position) => ({
      variables: { after: Buffer.from(JSON.stringify(['created_at', position, 1])).toString('base64url') },
    }),
    bodyBytes / 2,
  ),
  'a cursor under 50 aliases': graphql(
    `query ($after: String) { ${aliased('programsConnection(after: $after) { totalCount }')} }`,
    (position) => ({ variables: { after: Buffer.from(JSON.stringify(position)).toString('base64url') } }),
    bodyBytes / 2,
  ),
  'the name of the operation': graphql('query A { ping { status } }', (operationName) => ({ operationName })),
  extensions: graphql('{ ping { status } }', (extensions) => ({ extensions })),
  'an unknown parameter': graphql('{ ping { status } }', (unknown) => ({ unknown })),
  'a document': (filler) =>
    post('/graphql', {
      query: `{ programs(filter: { search: ${JSON.stringify(asciiText(filler, 39_000))} }) { count } }`,
    }),
  'a comment': (filler) => post('/graphql', { query: `{ ping { status } } #${asciiText(filler, 39_000)}` }),
  'the name of a field': (filler) => post('/graphql', { query: `{ ${asciiText(filler, 39_000)} }` }),
};

function part(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, value.length / 3) : 1;
}

/** A value as ASCII, for a URL or a document. */
function asciiText(filler: (bytes: number) => unknown, bytes: number): string {
  const value = filler(bytes / 3);
  return encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())
    .slice(0, bytes)
    .replace(/%.?$/, '');
}

const times = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ');
const introspection = (levels: number) =>
  `__schema { types { name ${'fields { name type { name '.repeat(levels)} ${'} }'.repeat(levels)} } }`;

/** Documents that take longest to parse, validate or execute, within the limits and past them. */
export const documents: Readonly<Record<string, string>> = {
  'empty lines before errors': `${'\n'.repeat(37_000)}{ ${times(300, (index) => `nope${index}`)} }`,
  'empty lines before fields that are rejected': `${'\n'.repeat(36_000)}{ ${times(50, (index) => `a${index}: program(id: -1) { id }`)} }`,
  'lines just below the limit before errors': `${'\n'.repeat(4_990)}{ ${aliased('programs(page: 0) { count }')} }`,
  'unknown fields': `{ ${times(900, (index) => `programConnection${index}`)} }`,
  'unknown fragments': `{ ${times(900, (index) => `...F${index}`)} }`,
  'many fragments in one place': `{ programs { items { ${times(150, (index) => `...F${index}`)} } } } ${times(150, (index) => `fragment F${index} on Program { ${['id', 'name', 'code', 'duration', 'version', 'createdAt', 'updatedAt', '__typename'][index % 8]} }`)}`,
  'fragments within each other': `{ ...F0 } ${times(200, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F200 on Query { ping { status } }`,
  'many operations with the same fragment': `${times(100, (index) => `query A${index}($v: Int!) { ...A }`)} fragment A on Query { ${aliased('program(id: $v) { id }')} }`,
  'unknown arguments': `{ programs(${times(600, (index) => `a${index}: 1`)}) { count } }`,
  'literals of the wrong type': `{ programs(filter: { ids: [${'x '.repeat(1_900)}] }) { count } }`,
  'variables that are not used': `query (${times(480, (index) => `$v${index}: Int`)}) { ping { status } }`,
  'fields that conflict': `{ ${times(20, (index) => `programs(page: ${index}) { items { id name } count pageSize }`)} }`,
  'the same fields again and again': `{ ${times(18, () => 'programs { items { id name branches { id name } } }')} }`,
  'a block string of many lines': `{ programs(filter: { search: """${'\n '.repeat(19_000)}""" }) { count } }`,
  'introspection by many aliases': `{ ${times(20, (index) => `a${index}: ${introspection(2)}`)} }`,
  'introspection as large as it may be': `{ ${times(15, (index) => `a${index}: ${introspection(2)}`)} }`,
  'lists within lists': `{ a: programs { items { ${'branches { program { '.repeat(4)} id name ${'} }'.repeat(4)} } } }`,
  brackets: '{'.repeat(39_000),
  commas: `${','.repeat(38_000)}{ ping { status } }`,
};

/** Headers with values that are slow to parse. */
export const headers: Readonly<Record<string, string>> = {
  'Accept of commas': `Accept: ${','.repeat(headerBytes)}`,
  'Accept of types': `Accept: ${'a/b;q=0.1,'.repeat(headerBytes / 10)}`,
  'Accept of spaces': `Accept: a${' '.repeat(headerBytes)}b`,
  'If-None-Match': `If-None-Match: ${'"a",W/ '.repeat(headerBytes / 7)}`,
  'Idempotency-Key': `Idempotency-Key: "${'\\"'.repeat(headerBytes / 2)}`,
  'Content-Type': `Content-Type: application/json;${' ;a'.repeat(headerBytes / 3)}`,
  'Last-Event-ID': `Last-Event-ID: ${'A'.repeat(headerBytes)}`,
  Authorization: `Authorization: Bearer${' \t'.repeat(headerBytes / 2)}x`,
  'X-Forwarded-For': `X-Forwarded-For: ${'1,'.repeat(headerBytes / 2)}`,
  'X-Request-Id': `X-Request-Id: ${'a'.repeat(headerBytes)}`,
  traceparent: `traceparent: ${'0-'.repeat(headerBytes / 2)}`,
};

const head = (method: string, path: string, fields: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-api-key: ${adminKey}\r\n${fields}`;

function get(path: string, fields = ''): string {
  return `${head('GET', path, fields)}\r\n`;
}

/** A POST with a JSON body; `fields` are further header lines, each with its line end. */
export function post(path: string, body: object, fields = ''): string {
  const json = JSON.stringify(body);
  const type = fields.startsWith('Content-Type') ? '' : 'Content-Type: application/json\r\n';
  return `${head('POST', path, fields)}${type}Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}
