import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Sample, Workload } from './workloads.ts';

interface Floor {
  /** The same requests; to all of them the response of the sample in the middle, whose length is typical. */
  readonly workload: Workload;
  /** Reads that response and gives it to the server. */
  readonly prepare: () => Promise<void>;
}

/** Node adds these to the responses of both servers. */
const added = new Set(['date', 'connection', 'keep-alive']);

/** How `servers/fixed-node.ts` at `to` sends what the service at `from` does. */
export function floorOf(workload: Workload, { from, to }: { readonly from: string; readonly to: string }): Floor {
  const typical = workload.sample(Math.ceil(workload.count / 2));
  return {
    workload: { ...workload, sample: (number) => ({ ...workload.sample(number), expected: typical.expected }) },
    prepare: async () => {
      const response = await send(from, typical);
      const headers = pairsOf(response.rawHeaders).filter(([name = '']) => !added.has(name.toLowerCase()));
      const body = await text(response);
      await fetch(to, {
        method: 'PUT',
        body: JSON.stringify({ status: response.statusCode, headers: headers.flat(), body }),
      });
    },
  };
}

function pairsOf(rawHeaders: readonly string[]): string[][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/** Unlike `fetch`, it gives the headers as they are written. */
function send(url: string, { method, path, headers, body }: Sample): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url + path, { method, headers })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}
