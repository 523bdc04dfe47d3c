import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A span as received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly id: string;
  /** Id of the parent span; empty for a root span. */
  readonly parent: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2 = error. */
  readonly status: number;
}

/** A local OpenTelemetry collector, stopped when the test ends. */
export interface OtlpReceiver {
  readonly url: string;
  /** Spans received. */
  readonly spans: ReceivedSpan[];
  /** The values of `service.name`. */
  readonly services: Set<unknown>;
  /** All requests received, unparsed. */
  readonly bytes: () => Buffer;
}

/** Starts a collector that decodes `ExportTraceServiceRequest` (opentelemetry-proto). */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    received.push(Buffer.from(`${request.url} ${JSON.stringify(request.headers)}`), body);
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
  return { url: `http://127.0.0.1:${port}`, spans, services, bytes: () => Buffer.concat(received) };
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

/** Strings and integers; the service sends no other types. */
function attributesOf(pairs: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', value = Buffer.alloc(0)] = [messages(pair, 1)[0]?.toString(), messages(pair, 2)[0]];
      return [key, messages(value, 1)[0]?.toString() ?? numbers(value, 3)[0] ?? ''];
    }),
  );
}

const messages = (message: Buffer, field: number): Buffer[] =>
  fieldsOf(message).flatMap((candidate) =>
    candidate.field === field && Buffer.isBuffer(candidate.value) ? [candidate.value] : [],
  );

const numbers = (message: Buffer, field: number): number[] =>
  fieldsOf(message).flatMap((candidate) =>
    candidate.field === field && !Buffer.isBuffer(candidate.value) ? [candidate.value] : [],
  );

/** The fields of a Protocol Buffers message. */
function fieldsOf(message: Buffer): { readonly field: number; readonly value: Buffer | number }[] {
  const fields: { field: number; value: Buffer | number }[] = [];
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
    if (read === undefined) throw new Error(`Invalid message: wire type ${tag % 8}.`);
    fields.push({ field: Math.floor(tag / 8), value: read() });
  }
  return fields;
}
