import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { adminKey } from '../processes.ts';
import { type Client, type Soak, statusOf } from './ordinary.ts';

/** As long as the service lets a request take to arrive. */
const stalledMs = 30_000;
/** Longer than an export may go unread. */
const unreadMs = 15_000;
const header = 'program_name,program_duration,branch_name,branch_years\n';
const row = 'Imported,4 Years,Branch,4\n';
/** A program with so many branches that no connection buffers them. */
const large = ['program_name,program_duration,branch_name,branch_years,branch_description']
  .concat(Array.from({ length: 6_000 }, (_, number) => `Large,4 Years,Branch ${number},1,${'x'.repeat(2_000)}`))
  .join('\n');

/** Hostile files, at a bounded rate. */
export const fileClients: readonly Client[] = [
  { kind: 'unread exports', pauseMs: 1_000, turn: unreadExport },
  { kind: 'stalled uploads', pauseMs: 1_000, turn: stalledUpload },
  importing('an import of blank lines', () => header + '\n'.repeat(1_000_000)),
  importing('an import of quotes', () => header + `"${'""'.repeat(100_000)}",1,,\n`.repeat(5)),
  importing('an import of commas', () => header + `${','.repeat(200_000)}\n`.repeat(5)),
];

/** A client that checks a file. It is not timed, as one import runs at a time: those beside it are. */
function importing(kind: string, content: () => string): Client {
  return {
    kind,
    pauseMs: 5_000,
    turn: async ({ url, record }) => {
      const status = await statusOf(await upload(`${url}/import/catalog?dryRun=true`, content()));
      if (![200, 503].includes(status)) record.fault(`${kind}: the status was ${status}.`);
    },
  };
}

function upload(address: string, body: string): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
    body,
  });
}

/** A socket that is closed when the clients leave. */
async function withSocket({ url, signal }: Soak, use: (socket: Socket) => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  try {
    await use(socket);
  } catch (problem) {
    if (!signal.aborted) throw problem;
  } finally {
    socket.destroy();
  }
}

const head = (line: string, key: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `x-api-key: ${key}`, ...fields, '', ''].join('\r\n');

let filled: Promise<unknown> | undefined;

/** Requests an export that is larger than what connections buffer, and reads nothing of it. */
async function unreadExport(soak: Soak): Promise<void> {
  filled ??= upload(`${soak.url}/import/catalog`, large).then(statusOf);
  await filled;
  await withSocket(soak, async (socket) => {
    socket.pause();
    socket.write(head('GET /export/catalog.csv', adminKey));
    await delay(unreadMs, undefined, { signal: soak.signal });
  });
}

/** Sends most of a file, and then nothing. */
function stalledUpload(soak: Soak): Promise<void> {
  const content = header + row.repeat(10_000);
  return withSocket(soak, async (socket) => {
    socket.resume();
    const fields = ['Content-Type: text/csv', `Content-Length: ${content.length + 1}`];
    socket.write(head('POST /import/catalog', adminKey, ...fields) + content);
    await delay(stalledMs, undefined, { signal: soak.signal });
  });
}
