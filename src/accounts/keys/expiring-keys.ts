import { queryJson } from '@service/postgres/sql';
import { withoutWaiting } from '@service/telemetry/scrape';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/types.ts';

/** Keys that programs rely on: used within a week, and made for longer than a month. Sessions end as they should. */
const statement = `SELECT count(*)::int AS count FROM api_keys
  WHERE kind = 'key' AND revoked_at IS NULL AND last_used_at > now() - interval '7 days'
    AND expires_at - created_at > interval '30 days' AND expires_at BETWEEN now() AND now() + interval '7 days'`;

/** Adds the number of keys in use that end within a week to the metrics. A failure leaves it as it was. */
export function observeExpiringKeys(db: Database, registers: Registry[]): void {
  const expiring: Gauge = new Gauge({
    name: 'api_keys_expiring',
    help: 'API keys in use that expire within 7 days, of those made for more than 30.',
    registers,
    collect: withoutWaiting(async () => {
      const rows = await queryJson<{ readonly count: number }>(db, { text: statement, values: [] }).catch(() => []);
      for (const { count } of rows) expiring.set(count);
    }),
  });
}
