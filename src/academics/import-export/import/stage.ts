import type { Client } from 'pg';
import type { CheckedRow } from './check-row.ts';

/** Rows per statement: amortizes a round trip, and serializes within milliseconds however long rows are. */
const batchSize = 500;

export interface Stage {
  add(row: CheckedRow): Promise<void>;
  flush(): Promise<void>;
}

/** Creates the stage, which is dropped with the client's transaction. Rows are numbered, as JSON may have many on a line. */
export async function openStage(client: Client): Promise<Stage> {
  await client.query(`
    CREATE TEMP TABLE staged_rows (
      number integer NOT NULL,
      line integer NOT NULL,
      program_key text COLLATE "C" NOT NULL,
      program_occurrence integer NOT NULL,
      program_code text NOT NULL,
      program_name text NOT NULL,
      program_duration text NOT NULL,
      branch_name text,
      branch_occurrence integer,
      branch_years integer,
      branch_description text,
      branch_code_prefix text,
      branch_code_is_numeric boolean
    ) ON COMMIT DROP`);
  let batch: (CheckedRow & { readonly number: number })[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const rows = JSON.stringify(batch);
    batch = [];
    await client.query('INSERT INTO staged_rows SELECT * FROM json_populate_recordset(NULL::staged_rows, $1)', [rows]);
  };
  return {
    add: async (row) => {
      count += 1;
      batch.push({ number: count, ...row });
      if (batch.length >= batchSize) await flush();
    },
    flush,
  };
}
