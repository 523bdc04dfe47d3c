import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { createTurns } from '../limits/turns.ts';

interface InMemoryRequest {
  readonly server: Server;
  readonly remoteAddress: string | undefined;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: object;
}

/** Bytes that a read takes at most, as from a network: the other side holds the rest of what it has written. */
const readBytesMax = 16_384;
/** Bytes that are read in one turn of the event loop, of all connections: many may get a long event at once. */
const bytesPerTurn = 1_000_000;
const turnFor = createTurns(bytesPerTurn);

/** Sends a request to a server of this process without the network, but with HTTP's authentication, limits and log. */
export function postInMemory(options: InMemoryRequest): Promise<IncomingMessage> {
  const { server, remoteAddress, path, headers, body } = options;
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    request({
      createConnection: () => connectInMemory(server, remoteAddress),
      method: 'POST',
      path,
      headers: {
        ...headers,
        host: 'localhost',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end(text);
  });
}

function connectInMemory(server: Server, remoteAddress: string | undefined): Duplex {
  const [near, far] = duplexPair();
  // The members of a socket that Node's server and Express read. Neither end waits for a network, so none has a
  // timeout.
  const socket = Object.assign(far, { remoteAddress, setTimeout: () => far, _write: inParts(far._write.bind(far)) });
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  server.emit('connection', socket);
  return near;
}

type Callback = (problem?: Error | null) => void;
type Write = (bytes: Buffer, encoding: BufferEncoding, callback: Callback) => void;

/** Writes one part after the other, each once the last is read: Node's parser copies what it reads. */
function inParts(write: Write): Write {
  const writeFrom = (bytes: Buffer, start: number, encoding: BufferEncoding, callback: Callback): void => {
    const part = bytes.subarray(start, start + readBytesMax);
    const end = start + part.length;
    const writePart = (): void =>
      write(part, encoding, (problem) => {
        if (problem || end === bytes.length) callback(problem);
        else writeFrom(bytes, end, encoding, callback);
      });
    const turn = turnFor(part.length);
    if (turn === undefined) writePart();
    else void turn.then(writePart);
  };
  return (bytes, encoding, callback) => writeFrom(bytes, 0, encoding, callback);
}
