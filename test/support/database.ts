import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** The migrated database that tests clone. */
export const templateName = 'academic_structure_template';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL as an operator would in psql. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const endConnections =
  'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user';

/** The connection string of another database on the same server. */
export function addressOf(postgresUrl: string, database: string): string {
  const address = new URL(postgresUrl);
  address.pathname = `/${database}`;
  return address.href;
}

/**
 * Creates a migrated database for one test by cloning the template.
 *
 * @param template another template; `null` creates an empty database.
 * @param settings further options of CREATE DATABASE.
 */
export async function createTestDatabase(template: string | null = templateName, settings = ''): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const postgresUrl = inject('postgresUrl');
  await asOperator(
    postgresUrl,
    `CREATE DATABASE ${name} ${template === null ? '' : `TEMPLATE ${template}`} ${settings}`,
  );
  const url = addressOf(postgresUrl, name);
  return {
    url,
    query: (sql, values) => asOperator(url, sql, values),
    close: async () => {
      // WITH (FORCE) fails while a superuser is connected, such as autovacuum; without it, autovacuum is cancelled.
      await asOperator(postgresUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await asOperator(postgresUrl, endConnections, [name]);
      await asOperator(postgresUrl, `DROP DATABASE ${name}`);
    },
  };
}

async function asOperator(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, values);
    return rows;
  } finally {
    await client.end();
  }
}
