import type { Client } from 'pg';

declare module 'pg' {
  interface Connection {
    /** The texts of prepared statements, by name. */
    readonly parsedStatements: Record<string, string>;
  }
}

/** Characters of a statement that is prepared; PostgreSQL takes some 60 bytes for each. */
export const preparedLengthMax = 6_000;
/** Characters of all prepared statements of a connection. */
export const preparedLengthsMax = 200_000;

/** Closes the oldest prepared statements before they are too long together: clients choose which ones there are. */
export function limitPreparedStatements({ connection }: Client): void {
  const parse = connection.parse.bind(connection);
  connection.parse = (statement, more) => {
    // More are prepared at once while none of them has arrived.
    const prepared = statement.name ? Object.entries(connection.parsedStatements) : [];
    let length = prepared.reduce((sum, [, text]) => sum + text.length, statement.text.length);
    for (const [oldest, text] of prepared) {
      if (length <= preparedLengthsMax) break;
      connection.close({ type: 'S', name: oldest }, more);
      delete connection.parsedStatements[oldest];
      length -= text.length;
    }
    parse(statement, more);
  };
}
