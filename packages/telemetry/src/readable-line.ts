import type { DestinationStream } from 'pino';
import { z } from 'zod';
import { escapeControls } from './untrusted-text.ts';

const requestLine = z.object({
  msg: z.literal('request'),
  time: z.number(),
  requestId: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  durationMs: z.number(),
  operation: z.string().optional(),
  user: z.string().nullish(),
});

/** Escapes what JSON leaves and a terminal obeys, in case somebody reads the file on one. */
export function linesForFile(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(escapeControls(line)) };
}

/** Writes one line for each entry, more only for the stack of an error. */
export async function linesForTerminal(destination: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true });
  return {
    write: (line) => {
      const entry: unknown = JSON.parse(line, (name, value: unknown) => escaped(name, value));
      destination.write(readableRequestLine(entry) ?? prettify(entry));
    },
  };
}

/** Texts of clients can neither control the terminal nor look like a line of the log. */
function escaped(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? escapeControls(value) : escapeControls(value).replaceAll('\n', '\\n');
}

/** Formats the entry of a request as `20:31:06 POST /graphql createOrder 200 143 ms ada f64972b7`. */
function readableRequestLine(entry: unknown): string | undefined {
  const { data } = requestLine.safeParse(entry);
  if (data === undefined) return undefined;
  const { method, path, operation, status, durationMs, user, requestId } = data;
  const time = new Date(data.time).toTimeString().slice(0, 8);
  const parts = [time, method, path, operation, status, durationMs, 'ms', user, requestId.slice(0, 8)];
  return `${parts.filter((part) => part !== undefined && part !== null).join(' ')}\n`;
}
