import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes bytes to a server as they are, and reads its answers until it ends the connection: the last request must ask
 * for that, or be broken.
 */
export async function exchange(url: string, ...pieces: readonly (string | Buffer)[]): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may cut off a client that goes on sending; what it said before is what counts.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return answersIn(Buffer.concat(chunks).toString('utf8'));
}

/** Splits what was read into answers, each as long as it says it is. */
function answersIn(text: string): RawResponse[] {
  const answers: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const begin = head.length + 4;
    const end = begin + Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(begin, end) });
    rest = rest.slice(end);
  }
  return answers;
}
