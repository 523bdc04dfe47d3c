import { queryJson } from '@service/postgres/sql';
import { withoutWaiting } from '@service/telemetry/scrape';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/types.ts';
import { dueSignIns } from './sign-in-end.ts';

/** Keys that programs rely on: used within a week, and made for longer than a month. Sessions end as they should. */
const expiringKeys = `SELECT count(*)::int AS count FROM api_keys
  WHERE kind = 'key' AND revoked_at IS NULL AND last_used_at > now() - interval '7 days'
    AND expires_at - created_at > interval '30 days' AND expires_at BETWEEN now() AND now() + interval '7 days'`;

/** Adds the numbers of keys that end soon to the metrics. A failure leaves them as they were. */
export function observeExpiringKeys(db: Database, registers: Registry[]): void {
  const observe = (name: string, help: string, text: string): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: withoutWaiting(async () => {
        const rows = await queryJson<{ readonly count: number }>(db, { text, values: [] }).catch(() => undefined);
        if (rows !== undefined) gauge.set(rows.reduce((sum, { count }) => sum + count, 0));
      }),
    });
  };
  observe(
    'api_keys_expiring',
    'API keys in use that expire within 7 days, of those made for more than 30.',
    expiringKeys,
  );
  observe(
    'api_keys_needing_sign_in',
    'API keys that end within 14 days unless their users sign in at the identity provider.',
    dueSignIns,
  );
}
