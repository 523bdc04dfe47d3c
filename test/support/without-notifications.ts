import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a database that loses notifications, as a pooler in transaction mode does. */
interface LossyWire {
  /** The database's address, by way of this wire. */
  readonly url: string;
  close(): void;
}

/** Passes on PostgreSQL's messages but notifications. */
function withoutNotifications(forward: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) return;
      if (rest[0] !== 'A'.charCodeAt(0)) forward(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** Lays such a wire. */
export async function openLossyWire(databaseUrl: string): Promise<LossyWire> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on('data', (bytes) => far.write(bytes));
    far.on(
      'data',
      withoutNotifications((message) => near.write(message)),
    );
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(end);
      end.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((pooler.address() as AddressInfo).port);
  return {
    url: url.href,
    close: () => {
      pooler.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
