import { adminKey, type ServerProcess } from '../processes.ts';
import { floorOf } from './floor.ts';
import { spellingsOf } from './spellings.ts';
import { conditional, create, readsOf, type Workload } from './workloads.ts';

export type ServerName =
  | 'node:http'
  | 'service'
  | 'another instance'
  | 'service, cache disabled'
  | 'Express + Prisma'
  | 'Fastify + pg'
  | 'mercurius with JIT and loaders'
  | 'Yoga + Pothos + Prisma';

export type Servers = Readonly<Record<ServerName, ServerProcess>>;

/** A server that takes part in a contest. */
interface Contestant {
  readonly server: ServerName;
  /** Its name in the report, if it is not the server's. */
  readonly name?: string;
  /** Its own workload, if it is not the contest's. */
  readonly workload?: Workload;
  /** Is called before its first request. */
  readonly prepare?: () => Promise<void>;
  /** Starts a background activity; returns a function that stops it. */
  readonly meanwhile?: () => () => void;
}

/** One workload on several servers. */
export interface Contest {
  readonly workload: Workload;
  readonly contestants: readonly Contestant[];
  /** Whether memory is measured after it, with a full response cache. */
  readonly fillsCache?: boolean;
}

const cached: Contestant = { server: 'service' };
const uncached: Contestant = { server: 'service, cache disabled' };
const restPeers: readonly Contestant[] = [{ server: 'Express + Prisma' }, { server: 'Fastify + pg' }];
const mercurius: Contestant = { server: 'mercurius with JIT and loaders' };
const graphqlPeers: readonly Contestant[] = [mercurius, { server: 'Yoga + Pothos + Prisma' }];
const whileChanging = 'service, with changes';

/**
 * The contests on a catalog of this size. The floor is `node:http`, which gets the same requests and sends one response
 * of the service to all of them, byte for byte; the peers are the same responses written by hand, without keys, audit
 * log, idempotency or metrics.
 */
export async function contestsOf(servers: Servers, programs: number): Promise<readonly Contest[]> {
  const [program, page, programTree, pageTree] = readsOf(programs);
  if (!program || !page || !programTree || !pageTree) throw new Error('There are no reads.');
  const node = (workload: Workload): Contestant => ({
    server: 'node:http',
    ...floorOf(workload, { from: servers.service.url, to: servers['node:http'].url }),
  });
  const read = (workload: Workload, peers: readonly Contestant[]): Contest => ({
    workload,
    contestants: [node(workload), cached, uncached, ...peers],
  });
  const withChanges = (workload: Workload): Contest => ({
    workload: { ...workload, id: `${workload.id}, with changes`, title: `${workload.title}, while others are changed` },
    contestants: [
      cached,
      {
        server: 'service',
        name: whileChanging,
        ...changesOfOthers(servers['another instance'].url, programs),
      },
    ],
  });
  const notModified = await conditional(servers.service.url, program);
  return [
    read(program, restPeers),
    read(page, restPeers),
    read(programTree, graphqlPeers),
    { ...read(pageTree, graphqlPeers), fillsCache: true },
    ...spellingsOf(programs).map((workload) => ({ workload, contestants: [uncached, mercurius] })),
    { workload: notModified, contestants: [node(notModified), cached] },
    // These and the creates come last, since they change responses.
    withChanges(page),
    withChanges(pageTree),
    { workload: create, contestants: [cached, ...restPeers] },
  ];
}

/** Ten programs are changed in each second. */
const changeEveryMs = 100;
/** Until an instance's code for changes is optimized, a change takes several times the CPU time. */
const warmChanges = 200;

/** Changes and restores the duration of programs that the measured requests rarely or never show: the last page's. */
function changesOfOthers(url: string, programs: number): Pick<Required<Contestant>, 'prepare' | 'meanwhile'> {
  let turn = 0;
  const change = async (): Promise<void> => {
    turn += 1;
    const id = programs - (Math.floor(turn / 2) % 10);
    const duration = turn % 2 === 1 ? '5 Years' : '4 Years';
    const query = `mutation { updateProgram(id: ${id}, input: { duration: "${duration}" }) { version } }`;
    const headers = { 'content-type': 'application/json', 'x-api-key': adminKey };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    await response.arrayBuffer();
  };
  return {
    prepare: async () => {
      for (let count = 0; count < warmChanges; count += 1) await change();
    },
    meanwhile: () => {
      const timer = setInterval(() => void change(), changeEveryMs);
      return () => clearInterval(timer);
    },
  };
}
