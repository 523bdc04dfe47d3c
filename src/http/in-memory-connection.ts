import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { Duplex } from 'node:stream';

class End extends Duplex {
  other: End | undefined;
  readonly remoteAddress: string | undefined;
  private onRead: (() => void) | undefined;

  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }

  /** Node's server and Express call it on sockets; the other end has a timeout of its own. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    this.onRead?.();
    this.onRead = undefined;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const { other } = this;
    const waits = other !== undefined && !other.destroyed && !other.push(chunk);
    if (waits) other.onRead = callback;
    else callback();
  }

  override _final(callback: () => void): void {
    this.other?.push(null);
    callback();
  }

  override _destroy(problem: Error | null, callback: (problem: Error | null) => void): void {
    const { other } = this;
    process.nextTick(() => other?.destroy());
    this.onRead?.();
    callback(problem);
  }
}

/** Connects to a server of this process without the network, but with HTTP's authentication, limits and log. */
export function connectInMemory(server: Server, remoteAddress: string | undefined): Duplex {
  const [near, far] = [new End(remoteAddress), new End(remoteAddress)];
  near.other = far;
  far.other = near;
  server.emit('connection', far);
  return near;
}

interface InMemoryRequest {
  readonly server: Server;
  readonly remoteAddress: string | undefined;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: object;
}

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
