import { runningTime } from '../support/running-time.ts';
import { adminKey, type TestServer } from '../support/server.ts';

/** Until then after a write, another instance may respond with the old state. */
const otherInstanceMs = 1_000;

/** A program and a branch whose names are numbers that one writer increments, at any instance. */
export interface Counter {
  readonly program: number;
  readonly branch: number;
}

export type Kind = 'program' | 'branch';

/** A number that was read as the name of a record. */
interface Observation {
  readonly record: string;
  readonly count: number;
}

interface Acknowledged {
  readonly server: TestServer;
  readonly count: number;
  readonly at: number;
}

/**
 * Checks that no read returns a smaller number than was acknowledged before it began: at once at the instance that
 * wrote, a second later at the others. A 503 counts neither as a read nor as an acknowledgement.
 */
export class StalenessChecker {
  /** Descriptions of stale reads. */
  readonly stale: string[] = [];
  reads = 0;
  readonly #acknowledged = new Map<string, Acknowledged[]>();
  readonly #counts = new Map<string, number>();

  /** Increments a record at one instance. */
  async write(server: TestServer, kind: Kind, id: number): Promise<void> {
    const record = `${kind} ${id}`;
    const count = (this.#counts.get(record) ?? 0) + 1;
    this.#counts.set(record, count);
    const field = kind === 'program' ? 'updateProgram' : 'updateBranch';
    const response = await post(server, `mutation { ${field}(id: ${id}, input: { name: "${count}" }) { name } }`);
    if (response?.data?.[field]?.name !== `${count}`) return;
    const all = this.#acknowledged.get(record) ?? [];
    all.push({ server, count, at: runningTime() });
    this.#acknowledged.set(record, all);
  }

  /** Reads at one instance and compares the result with what was acknowledged before. */
  async read(server: TestServer, [name, read]: Reader): Promise<void> {
    const acknowledged = this.#acknowledgedFor(server);
    for (const { record, count } of await read(server)) {
      this.reads += 1;
      const expected = acknowledged.get(record) ?? 0;
      if (count < expected) this.stale.push(`${name} showed ${record} at ${count}, when ${expected} was acknowledged`);
    }
  }

  /** When the last acknowledged write must be visible everywhere, in running time. */
  settledAt(): number {
    return Math.max(0, ...[...this.#acknowledged.values()].flat().map(({ at }) => at + otherInstanceMs));
  }

  #acknowledgedFor(server: TestServer): Map<string, number> {
    const now = runningTime();
    const counts = ({ server: writer, at }: Acknowledged): boolean => writer === server || at + otherInstanceMs < now;
    return new Map(
      Array.from(this.#acknowledged, ([record, all]) => [
        record,
        Math.max(0, ...all.filter(counts).map(({ count }) => count)),
      ]),
    );
  }
}

/** A kind of read, by name. */
export type Reader = readonly [name: string, read: (server: TestServer) => Promise<readonly Observation[]>];

/** Documents that differ in a comment only: their results are cached under separate keys, at different ages. */
const variants = 3;

/** Every kind of read of a program and a branch; each is cached in a different way. */
export function readersOf({ program, branch }: Counter): readonly Reader[] {
  const list = encodeURIComponent('{ programs { items { id name branches { id name } } } }');
  const rest = async (server: TestServer, path: string, kind: Kind) =>
    observationsIn(await bodyOf(server, `/v1/api/academics/${path}`), kind);
  const graphql = async (server: TestServer, query: string, kind: Kind) =>
    observationsIn((await post(server, query))?.data?.[kind], kind);
  const ofProgram = `{ program(id: ${program}) { id name branches { id name years { code } } } }`;
  const ofBranch = `{ branch(id: ${branch}) { id name program { id name } } }`;
  return [
    ['REST, the program,', (server) => rest(server, `programs/${program}`, 'program')],
    ['REST, the list,', (server) => rest(server, 'programs', 'program')],
    ['REST, the branch,', (server) => rest(server, `branches/${branch}`, 'branch')],
    ['GraphQL, the branch,', (server) => graphql(server, ofBranch, 'branch')],
    [
      'GraphQL, the list by GET,',
      async (server) => observationsIn((await bodyOf(server, `/graphql?query=${list}`))?.data?.['programs'], 'program'),
    ],
    ...Array.from({ length: variants }, (_, index): Reader => {
      const document = `${ofProgram} # ${index}`;
      return ['GraphQL, the program,', (server) => graphql(server, document, 'program')];
    }),
  ];
}

/** The checked part of a response body. */
interface Body {
  readonly id?: number;
  readonly name?: string;
  readonly items?: readonly Body[];
  readonly branches?: readonly Body[];
  readonly program?: Body;
  readonly data?: Readonly<Record<string, Body>>;
}

/** The records in a body: itself, the items of its list, and nested ones. */
function observationsIn(body: Body | undefined, kind: Kind): Observation[] {
  if (body === undefined) return [];
  return [
    ...(body.name === undefined ? [] : [{ record: `${kind} ${body.id}`, count: Number(body.name) }]),
    ...(body.items ?? []).flatMap((item) => observationsIn(item, 'program')),
    ...(body.branches ?? []).flatMap((branch) => observationsIn(branch, 'branch')),
    ...observationsIn(body.program, 'program'),
  ];
}

function post(server: TestServer, query: string): Promise<Body | undefined> {
  const headers = { 'content-type': 'application/json' };
  return bodyOf(server, '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
}

/** Returns `undefined` for a 503. */
async function bodyOf(server: TestServer, path: string, init: RequestInit = {}): Promise<Body | undefined> {
  const response = await fetch(server.url + path, { ...init, headers: { ...init.headers, 'x-api-key': adminKey } });
  const body: unknown = await response.json();
  if (response.status === 503) return undefined;
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return body as Body;
}
