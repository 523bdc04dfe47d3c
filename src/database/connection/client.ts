import { type ClientConfig, Client as PlainClient } from 'pg';

const requireAuth = 'require_auth';
/** The only method that authenticates the server too and never sends the password. */
const scram = 'scram-sha-256';

export const provenServer = { [requireAuth]: scram } as const;

const rejection =
  'The server did not prove by SCRAM-SHA-256 that it knows the password: another program may have taken its place.';

/** By itself, `pg` sends the password in clear text to a server that requests it so, and accepts any without one. */
export class Client extends PlainClient {
  constructor(config: ClientConfig = {}) {
    super(config);
    if (!insistsOnScram(config.connectionString)) return;
    const { connection } = this;
    let proven = false;
    const reject = (): void => {
      // Discards what is still buffered in either direction.
      connection.stream.destroy();
      connection.emit('error', new Error(rejection));
      connection.removeAllListeners('readyForQuery');
    };
    // Runs before the client's own listeners, which `connect` adds.
    connection.on('authenticationCleartextPassword', reject);
    connection.on('authenticationMD5Password', reject);
    connection.on('authenticationSASLFinal', () => {
      proven = true;
    });
    connection.on('authenticationOk', () => {
      if (!proven) reject();
    });
  }
}

function insistsOnScram(address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && new URL(address).searchParams.get(requireAuth) === scram;
}
