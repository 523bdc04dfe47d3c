import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire between the service and its database that can break, and be mended. */
export interface DatabaseProxy {
  /** The database's address, by way of this wire. */
  readonly url: string;
  /** How many connections there are. */
  readonly connections: number;
  /** Breaks all connections, and refuses new ones. */
  cut(): Promise<void>;
  /** Breaks all connections without a goodbye, as a host does that crashes, and takes new ones. */
  reset(): void;
  /** Keeps connections, takes new ones, and lets no byte through: as a host that has frozen. */
  hang(): void;
  /** Lets bytes through and connections in again; those that hung are broken. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Lays a wire to a database. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let hangs = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => hangs || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!hangs) to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);

  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    breakAll();
    await once(server, 'close');
  };
  return {
    url: url.href,
    get connections() {
      return sockets.size / 2;
    },
    cut,
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    hang: () => {
      hangs = true;
    },
    mend: async () => {
      if (hangs) breakAll();
      hangs = false;
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
