import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { createTurns } from '../limits/turns.ts';

interface InMemoryRequest {
  readonly server: Server;
  readonly remoteAddress: string | undefined;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** JSON. */
  readonly body: string;
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
    request({
      createConnection: () => connectInMemory(server, remoteAddress),
      method: 'POST',
      path,
      headers: {
        ...headers,
        host: 'localhost',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}

function connectInMemory(server: Server, remoteAddress: string | undefined): Duplex {
  const near = new InMemorySocket();
  const far = new InMemorySocket(remoteAddress);
  near.connect(far);
  far.connect(near);
  server.emit('connection', far);
  return near;
}

type Callback = (problem?: Error | null) => void;

/** One end of a connection; Node's server and Express read its members as those of a socket. */
class InMemorySocket extends Duplex {
  readonly remoteAddress: string | undefined;
  #other: InMemorySocket | undefined;
  /** Called when this end has read what the other has written. */
  #onRead: (() => void) | undefined;

  constructor(remoteAddress?: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  connect(other: InMemorySocket): void {
    this.#other = other;
    this.once('close', () => other.destroy());
  }

  /** Neither end waits for a network, so none has a timeout. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    const onRead = this.#onRead;
    this.#onRead = undefined;
    onRead?.();
  }

  /** Writes one part after the other, each once the last is read: Node's parser copies what it reads. */
  override _write(bytes: Buffer, encoding: BufferEncoding, callback: Callback): void {
    if (bytes.length === 0) {
      callback();
      return;
    }
    const part = bytes.subarray(0, readBytesMax);
    const writePart = (): void =>
      this.#other?.receive(part, () => this._write(bytes.subarray(part.length), encoding, callback));
    const turn = turnFor(part.length);
    if (turn === undefined) writePart();
    else void turn.then(writePart);
  }

  override _final(callback: Callback): void {
    this.#other?.once('end', callback);
    this.#other?.push(null);
  }

  /** Takes bytes, and calls back when they are read. */
  receive(bytes: Buffer, onRead: () => void): void {
    this.push(bytes);
    this.#onRead = onRead;
  }
}
