import type { Client } from 'pg';

declare module 'pg' {
  interface Connection {
    /** The texts of prepared statements, by name. */
    readonly parsedStatements: Record<string, string>;
  }
}

/** Prepared statements of a connection: PostgreSQL takes 50 to 200 kB for each. */
export const preparedMax = 100;

/** Closes the oldest prepared statements before there are too many: clients choose how many different ones there are. */
export function limitPreparedStatements({ connection }: Client): void {
  const parse = connection.parse.bind(connection);
  connection.parse = (statement, more) => {
    const names = statement.name ? Object.keys(connection.parsedStatements) : [];
    // More are prepared at once while none of them has arrived.
    for (const oldest of names.slice(0, Math.max(0, names.length + 1 - preparedMax))) {
      connection.close({ type: 'S', name: oldest }, more);
      delete connection.parsedStatements[oldest];
    }
    parse(statement, more);
  };
}
