import { type ClientConfig, Client as PlainClient } from 'pg';

/** As libpq names it: what the server must ask for, and pass, before it is trusted. */
const requirement = 'require_auth';
/** The one method that proves the server, too, and shows the password to nobody. */
const scram = 'scram-sha-256';

/** The parameters of an address by which its clients insist on SCRAM. */
export const provenServer = { [requirement]: scram } as const;

const refusal =
  'The server did not prove by SCRAM-SHA-256 that it knows the password: another program may have taken its place.';

/**
 * The client of `pg`, which by itself sends a password in clear to any server that asks for it so, and takes any server's
 * word that none is needed. With `require_auth=scram-sha-256` in its address it does neither.
 */
export class Client extends PlainClient {
  constructor(config: ClientConfig = {}) {
    super(config);
    if (!insistsOnScram(config.connectionString)) return;
    const { connection } = this;
    let proven = false;
    const refuse = (): void => {
      // Nothing that is still written, and nothing that has still come, counts any more.
      connection.stream.destroy();
      connection.emit('error', new Error(refusal));
      connection.removeAllListeners('readyForQuery');
    };
    // Before the client's own listeners, which come with `connect`.
    connection.on('authenticationCleartextPassword', refuse);
    connection.on('authenticationMD5Password', refuse);
    connection.on('authenticationSASLFinal', () => {
      proven = true;
    });
    connection.on('authenticationOk', () => {
      if (!proven) refuse();
    });
  }
}

function insistsOnScram(address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && new URL(address).searchParams.get(requirement) === scram;
}
