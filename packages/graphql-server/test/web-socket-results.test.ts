import { createServer, type RequestListener } from 'node:http';
import { postInMemory } from '@service/http/in-memory-connection';
import { expect, it } from 'vitest';
import { RejectedOperation, resultsOf } from '../src/web-sockets/results.ts';

/** Serves one response, and returns the results that are sent of it. */
async function resultsIn(serve: RequestListener): Promise<{ sent: string[]; isCutOff: boolean }> {
  const server = createServer(serve);
  const request = { server, remoteAddress: undefined, path: '/', headers: {}, body: '{}' };
  const sent: string[] = [];
  let isCutOff = false;
  const results = resultsOf(await postInMemory(request), {
    send: async (json) => {
      const parts: Buffer[] = [];
      for await (const part of json) parts.push(part);
      sent.push(Buffer.concat(parts).toString());
      return true;
    },
    onCutOff: () => {
      isCutOff = true;
    },
  });
  expect(await results.next()).toEqual({ done: true, value: undefined });
  return { sent, isCutOff };
}

const written = '{ "data": { "é": 1.0 } }';

it('a result is sent as the bytes of its response: to read and write it again would take most of the time', async () => {
  expect(await resultsIn((_request, response) => void response.end(written))).toEqual({
    sent: [written],
    isCutOff: false,
  });
});

it('events are sent as the bytes of their data, however they arrive', async () => {
  const stream = Buffer.from(
    `:\n\nevent: next\nid: 1\ndata: ${written}\n\nevent: next\ndata: {}\n\nevent: complete\ndata: \n\n`,
  );
  const result = await resultsIn(async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const byte of stream) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  });
  expect(result).toEqual({ sent: [written, '{}'], isCutOff: false });
});

it('an operation that was not executed is rejected with its errors', async () => {
  const errors = [{ message: 'No.' }];
  const rejected = resultsIn((_request, response) => void response.writeHead(400).end(JSON.stringify({ errors })));
  await expect(rejected).rejects.toEqual(new RejectedOperation(errors));
});
