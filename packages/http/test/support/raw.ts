import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes raw bytes to a server and reads its responses until it closes the connection: the last request must ask for
 * that, or be malformed.
 */
export async function exchange(url: string, ...pieces: readonly (string | Buffer)[]): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may cut off a client that goes on sending; what it sent before is what counts.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return parseResponses(Buffer.concat(chunks).toString('utf8'));
}

/** Splits what was read into responses, by their Content-Length. */
function parseResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const begin = head.length + 4;
    const end = begin + Number(headers['content-length'] ?? 0);
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(begin, end) });
    rest = rest.slice(end);
  }
  return responses;
}
