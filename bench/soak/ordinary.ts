import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { adminKey } from '../processes.ts';
import type { SoakRecord } from './record.ts';

/** The context of every client. */
export interface Soak {
  readonly url: string;
  readonly record: SoakRecord;
  /** Aborted when the clients leave. */
  readonly signal: AbortSignal;
}

/** A client that repeats its turn. */
export interface Client {
  readonly kind: string;
  /** The pause between two turns. */
  readonly pauseMs: number;
  turn(soak: Soak): Promise<unknown>;
}

const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
export const programsPath = '/v1/api/academics/programs';
const created = z.object({ id: z.int() });
const page = z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })), hasNextPage: z.boolean() });

/** Reads a response to its end. */
export async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}

/** Sends a GraphQL document. */
export function graphql(url: string, query: string, variables: unknown = {}, key = adminKey): Promise<Response> {
  const body = JSON.stringify({ query, variables });
  return fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, 'x-api-key': key }, body });
}

/** Creates that have been acknowledged, by name. */
export type Acknowledged = Map<string, number>;

/** Well-behaved clients. */
export function ordinaryClients(acknowledged: Acknowledged): readonly Client[] {
  const anyId = (): number => [...acknowledged.values()].at(Math.floor(Math.random() * acknowledged.size)) ?? 1;
  const read = (kind: string, path: () => string): Client => ({
    kind,
    pauseMs: 20,
    turn: ({ url, record }) => record.timed(kind, async () => statusOf(await fetch(url + path(), { headers }))),
  });
  const query = '{ programs(size: 20, orderBy: ID_DESC) { count items { id name branches { id years { code } } } } }';
  return [
    read('a program', () => `${programsPath}/${anyId()}`),
    read('a list', () => `${programsPath}?page=${1 + Math.floor(Math.random() * 5)}&size=50`),
    read('ping', () => '/v1/ping'),
    {
      kind: 'a query',
      pauseMs: 50,
      turn: ({ url, record }) => record.timed('a query', async () => statusOf(await graphql(url, query))),
    },
    { kind: 'a create', pauseMs: 100, turn: (soak) => createTwice(soak, acknowledged) },
    { kind: 'a subscription', pauseMs: 100, turn: follow },
    { kind: 'a subscription', pauseMs: 400, turn: follow },
  ];
}

let creates = 0;

/** Creates a program and sometimes repeats the request, which must not create another. */
async function createTwice({ url, record }: Soak, acknowledged: Acknowledged): Promise<void> {
  creates += 1;
  const name = `soak-${process.pid}-${creates}`;
  const create = async (): Promise<number> => {
    const response = await fetch(url + programsPath, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': name },
      body: JSON.stringify({ name, duration: '4 Years' }),
    });
    const body: unknown = await response.json();
    if (response.status !== 201) return response.status;
    const { id } = created.parse(body);
    if ((acknowledged.get(name) ?? id) !== id) record.fault(`${name} was created twice.`);
    acknowledged.set(name, id);
    return response.status;
  };
  await record.timed('a create', create);
  if (creates % 5 === 0) await record.timed('a repeated create', create);
}

/** Subscribes for a while, disconnects, and resumes with Last-Event-ID. */
async function follow({ url, record, signal }: Soak): Promise<void> {
  let lastEventId = '';
  for (let turn = 0; turn < 5 && !signal.aborted; turn += 1) {
    const leave = AbortSignal.any([signal, AbortSignal.timeout(500 + 2_000 * Math.random())]);
    await record.timed('a subscription', async () => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...headers, accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
        body: JSON.stringify({ query: 'subscription { catalogChanged { cursor action program { name } } }' }),
        signal: leave,
      });
      void idsIn(response, (id) => {
        lastEventId = id;
      }).catch(() => undefined);
      return response.status;
    });
    if (!leave.aborted) await new Promise((resolve) => leave.addEventListener('abort', resolve, { once: true }));
  }
}

async function idsIn({ body }: Response, seen: (id: string) => void): Promise<void> {
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id } of events ?? []) if (id !== undefined) seen(id);
}

/** The acknowledged creates that are missing. */
export async function lostOf(url: string, acknowledged: Acknowledged): Promise<string[]> {
  const found = new Map<string, number>();
  for (let number = 1; ; number += 1) {
    const response = await fetch(`${url}${programsPath}?page=${number}&size=100`, { headers });
    const { items, hasNextPage } = page.parse(await response.json());
    for (const { id, name } of items) found.set(name, id);
    if (!hasNextPage) break;
  }
  return [...acknowledged].filter(([name, id]) => found.get(name) !== id).map(([name]) => name);
}

/** Runs a client until the signal aborts; its own errors are ignored. */
export async function keepRunning(client: Client, soak: Soak): Promise<void> {
  while (!soak.signal.aborted) {
    await client.turn(soak).catch(() => undefined);
    await delay(client.pauseMs, undefined, { signal: soak.signal }).catch(() => undefined);
  }
}
