import type { ServerResponse } from 'node:http';

export const jsonType = 'application/json; charset=utf-8';

/** Sends JSON; to a HEAD, Node sends the headers alone. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendJsonText(response, status, JSON.stringify(body));
}

/** Sends the text of JSON, as `sendJson`. */
export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  const content = Buffer.from(text);
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

/** Calls back once a response is sent or its client is gone; at once when it is already closed, so nothing leaks. */
export function whenClosed(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release();
  else response.once('close', release);
}

export type WriteBatch = (write: () => void) => void;

/** Bounds how long the first write of a batch waits. */
const batchMax = 64;

/** Writes the responses of one turn of the event loop together: one by one, each wakes its client, which is costly. */
export function createWriteBatch(): WriteBatch {
  let ready: (() => void)[] = [];
  const flush = (): void => {
    const due = ready;
    ready = [];
    for (const write of due) write();
  };
  return (write) => {
    ready.push(write);
    if (ready.length === 1) setImmediate(flush);
    else if (ready.length === batchMax) flush();
  };
}
