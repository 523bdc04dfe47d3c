import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Prints where a server listens, as the service does. */
export function announce(server: Server): void {
  server.once('listening', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
  });
}
