import { adminKey, type TestServer } from '../support/server.ts';

/** What another instance may show late, at most. */
const otherInstanceMs = 1_000;

/** A program and a branch of it, whose names are numbers that one writer counts up, wherever it writes. */
export interface Counter {
  readonly program: number;
  readonly branch: number;
}

export type Kind = 'program' | 'branch';

/** A number that was seen as the name of a record. */
interface Seen {
  readonly record: string;
  readonly count: number;
}

interface Acknowledged {
  readonly server: TestServer;
  readonly count: number;
  readonly at: number;
}

/**
 * Watches writers and readers. No reader may see a smaller number than was acknowledged when its read began: at once
 * at the instance that wrote, a second later at the others. What is answered 503 was neither read nor acknowledged.
 */
export class StalenessChecker {
  /** What was seen that must not be. */
  readonly stale: string[] = [];
  reads = 0;
  readonly #acknowledged = new Map<string, Acknowledged[]>();
  readonly #counts = new Map<string, number>();

  /** Counts a record up at one instance. */
  async write(server: TestServer, kind: Kind, id: number): Promise<void> {
    const record = `${kind} ${id}`;
    const count = (this.#counts.get(record) ?? 0) + 1;
    this.#counts.set(record, count);
    const field = kind === 'program' ? 'updateProgram' : 'updateBranch';
    const answer = await post(server, `mutation { ${field}(id: ${id}, input: { name: "${count}" }) { name } }`);
    if (answer?.data?.[field]?.name !== `${count}`) return;
    const all = this.#acknowledged.get(record) ?? [];
    all.push({ server, count, at: performance.now() });
    this.#acknowledged.set(record, all);
  }

  /** Reads at one instance, and holds what comes back against what had been acknowledged before. */
  async read(server: TestServer, [what, ask]: Way): Promise<void> {
    const least = this.#leastFor(server);
    for (const { record, count } of await ask(server)) {
      this.reads += 1;
      const expected = least.get(record) ?? 0;
      if (count < expected) this.stale.push(`${what} showed ${record} at ${count}, when ${expected} was acknowledged`);
    }
  }

  /** When the last acknowledged write must be seen everywhere. */
  settledAt(): number {
    return Math.max(0, ...[...this.#acknowledged.values()].flat().map(({ at }) => at + otherInstanceMs));
  }

  #leastFor(server: TestServer): Map<string, number> {
    const now = performance.now();
    const counts = ({ server: writer, at }: Acknowledged): boolean => writer === server || at + otherInstanceMs < now;
    return new Map(
      Array.from(this.#acknowledged, ([record, all]) => [
        record,
        Math.max(0, ...all.filter(counts).map(({ count }) => count)),
      ]),
    );
  }
}

/** A way to read, and its name. */
export type Way = readonly [what: string, ask: (server: TestServer) => Promise<readonly Seen[]>];

/** So many documents ask for the same in other words: results of all ages are kept side by side. */
const wordings = 6;

/** Every way to read a program and a branch of it: the kept results of each are made in another manner. */
export function waysToRead({ program, branch }: Counter): readonly Way[] {
  const list = encodeURIComponent('{ programs { items { id name branches { id name } } } }');
  const rest = async (server: TestServer, path: string, kind: Kind) =>
    seenIn(await answerOf(server, `/v1/api/academics/${path}`), kind);
  const graphql = async (server: TestServer, query: string, kind: Kind) =>
    seenIn((await post(server, query))?.data?.[kind], kind);
  const ofProgram = `{ program(id: ${program}) { id name branches { id name years { code } } } }`;
  const ofBranch = `{ branch(id: ${branch}) { id name program { id name } } }`;
  return [
    ['REST, the program,', (server) => rest(server, `programs/${program}`, 'program')],
    ['REST, the list,', (server) => rest(server, 'programs', 'program')],
    ['REST, the branch,', (server) => rest(server, `branches/${branch}`, 'branch')],
    ['GraphQL, the branch,', (server) => graphql(server, ofBranch, 'branch')],
    [
      'GraphQL, the list by GET,',
      async (server) => seenIn((await answerOf(server, `/graphql?query=${list}`))?.data?.['programs'], 'program'),
    ],
    ...Array.from({ length: wordings }, (_, index): Way => {
      const document = `${ofProgram} # ${index}`;
      return ['GraphQL, the program,', (server) => graphql(server, document, 'program')];
    }),
  ];
}

/** As much of an answer's body as is looked at. */
interface Body {
  readonly id?: number;
  readonly name?: string;
  readonly items?: readonly Body[];
  readonly branches?: readonly Body[];
  readonly program?: Body;
  readonly data?: Readonly<Record<string, Body>>;
}

/** The records in a body: itself, those of its list, and those below them. */
function seenIn(body: Body | undefined, kind: Kind): Seen[] {
  if (body === undefined) return [];
  return [
    ...(body.name === undefined ? [] : [{ record: `${kind} ${body.id}`, count: Number(body.name) }]),
    ...(body.items ?? []).flatMap((item) => seenIn(item, 'program')),
    ...(body.branches ?? []).flatMap((branch) => seenIn(branch, 'branch')),
    ...seenIn(body.program, 'program'),
  ];
}

function post(server: TestServer, query: string): Promise<Body | undefined> {
  const headers = { 'content-type': 'application/json' };
  return answerOf(server, '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
}

/** Asks; `undefined` when the service was too busy. */
async function answerOf(server: TestServer, path: string, init: RequestInit = {}): Promise<Body | undefined> {
  const answer = await fetch(server.url + path, { ...init, headers: { ...init.headers, 'x-api-key': adminKey } });
  const body: unknown = await answer.json();
  if (answer.status === 503) return undefined;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
  return body as Body;
}
