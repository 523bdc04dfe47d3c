import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that drops notifications, as a pooler in transaction mode does. */
interface LossyProxy {
  /** Connection string of the database through this proxy. */
  readonly url: string;
  close(): void;
}

/** Forwards PostgreSQL's messages except NotificationResponse. */
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

/** Opens the proxy on a free port. */
export async function openLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on(
      'data',
      withoutNotifications((message) => client.write(message)),
    );
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
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
