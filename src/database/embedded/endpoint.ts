// `socket`: in the server's data directory, which other users cannot enter, so that nobody can impersonate it. `tcp`: a port of
// 127.0.0.1, which any local process can take when the server is gone.
export interface Endpoint {
  readonly transport: 'socket' | 'tcp';
  readonly port: number;
}
