/**
 * Where a server listens. `socket`: a Unix socket in its home, which is closed to others, so that nobody can take its
 * place. `tcp`: a port of 127.0.0.1, which anybody can take when the server is gone.
 */
export interface Endpoint {
  readonly transport: 'socket' | 'tcp';
  readonly port: number;
}
