import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy, mostly between the service and its database, that simulates outages. */
export interface DatabaseProxy {
  /** Connection string of the database through this proxy. */
  readonly url: string;
  /** Open connections. */
  readonly connections: number;
  /** Closes all connections and rejects new ones. */
  cut(): Promise<void>;
  /** Rejects new connections, and leaves those that are open. */
  refuse(): void;
  /** Resets all connections, as a crashed host does, and accepts new ones. */
  reset(): void;
  /** Keeps connections open and accepts new ones but forwards nothing, like a frozen host. */
  hang(): void;
  /** Forwards and accepts connections again; closes those that hung. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy on a free port. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isHanging = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => isHanging || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isHanging) to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);

  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    closeAll();
    await once(server, 'close');
  };
  return {
    url: url.href,
    get connections() {
      return sockets.size / 2;
    },
    cut,
    refuse: () => void server.close(),
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    hang: () => {
      isHanging = true;
    },
    restore: async () => {
      if (isHanging) closeAll();
      isHanging = false;
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
