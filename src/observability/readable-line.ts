import { z } from 'zod';

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

/** Formats the JSON line of a request as `20:31:06 POST /graphql createProgram 200 143 ms ada f64972b7`. */
export function readableRequestLine(line: string): string | undefined {
  const { data } = requestLine.safeParse(JSON.parse(line));
  if (data === undefined) return undefined;
  const { method, path, operation, status, durationMs, user, requestId } = data;
  const time = new Date(data.time).toTimeString().slice(0, 8);
  const parts = [time, method, path, operation, status, durationMs, 'ms', user, requestId.slice(0, 8)];
  return `${parts.filter((part) => part !== undefined && part !== null).join(' ')}\n`;
}
