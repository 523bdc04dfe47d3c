import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly id: string;
  /** Of the span that it is part of; empty when it is the first of its trace. */
  readonly parent: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2 when it failed. */
  readonly status: number;
}

/** A collector of traces on this machine, until the test ends. */
export interface OtlpReceiver {
  readonly url: string;
  /** The spans that have arrived, and who they say sent them. */
  readonly spans: ReceivedSpan[];
  readonly services: Set<unknown>;
  /** All that has arrived, as it came. */
  readonly bytes: () => Buffer;
}

/** Starts a collector that understands what the service sends (opentelemetry-proto, `ExportTraceServiceRequest`). */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const arrived: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    arrived.push(Buffer.from(`${request.url} ${JSON.stringify(request.headers)}`), body);
    for (const { resource, scopes } of messages(body, 1).map(resourceSpans)) {
      services.add(resource['service.name']);
      spans.push(...scopes.flatMap((scope) => messages(scope, 2)).map(spanOf));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, services, bytes: () => Buffer.concat(arrived) };
}

function resourceSpans(message: Buffer) {
  const [resource = Buffer.alloc(0)] = messages(message, 1);
  return { resource: attributesOf(messages(resource, 1)), scopes: messages(message, 2) };
}

function spanOf(message: Buffer): ReceivedSpan {
  const bytes = (field: number): Buffer => messages(message, field)[0] ?? Buffer.alloc(0);
  return {
    traceId: bytes(1).toString('hex'),
    id: bytes(2).toString('hex'),
    parent: bytes(4).toString('hex'),
    name: bytes(5).toString(),
    attributes: attributesOf(messages(message, 9)),
    status: numbers(bytes(15), 3)[0] ?? 0,
  };
}

/** Texts and whole numbers; the service sends nothing else. */
function attributesOf(pairs: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', value = Buffer.alloc(0)] = [messages(pair, 1)[0]?.toString(), messages(pair, 2)[0]];
      return [key, messages(value, 1)[0]?.toString() ?? numbers(value, 3)[0] ?? ''];
    }),
  );
}

const messages = (message: Buffer, field: number): Buffer[] =>
  fieldsOf(message).flatMap((found) => (found.field === field && Buffer.isBuffer(found.value) ? [found.value] : []));

const numbers = (message: Buffer, field: number): number[] =>
  fieldsOf(message).flatMap((found) => (found.field === field && !Buffer.isBuffer(found.value) ? [found.value] : []));

/** The fields of a message of Protocol Buffers, by their numbers. */
function fieldsOf(message: Buffer): { readonly field: number; readonly value: Buffer | number }[] {
  const found: { field: number; value: Buffer | number }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte % 128) * shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  const value: Readonly<Record<number, () => Buffer | number>> = {
    0: varint,
    1: () => take(8),
    2: () => take(varint()),
    5: () => take(4),
  };
  while (at < message.length) {
    const tag = varint();
    const read = value[tag % 8];
    if (read === undefined) throw new Error(`This is no message: wire type ${tag % 8}.`);
    found.push({ field: Math.floor(tag / 8), value: read() });
  }
  return found;
}
