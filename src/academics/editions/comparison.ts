import { createPlaces } from '@service/http/places';
import { differ } from '@service/postgres/sql';
import { inTransaction } from '@service/postgres/transaction';
import type { Client } from 'pg';
import { type CatalogState, statesToCompare } from './catalog-state.ts';
import type { CatalogPoint } from './points.ts';

/** How records differ between two states. A record that is renamed and moved counts in both. */
export interface ComparisonCounts {
  readonly created: number;
  readonly deleted: number;
  readonly renamed: number;
  readonly moved: number;
  /** Records of which only other fields differ. */
  readonly changed: number;
}

type Snapshot = Readonly<Record<string, unknown>>;

/** A record that differs; null where it does not exist. */
export interface ComparedRow {
  readonly kind: 'Program' | 'Branch';
  readonly id: number;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  readonly programName: string | null;
  /** Its last change between the two states. */
  readonly lastActor: string | null;
  readonly lastAt: Date | null;
  readonly lastChangeId: string | null;
}

/** The points of a comparison. */
export interface ComparedPoints {
  readonly from: CatalogPoint;
  readonly to: CatalogPoint;
}

/** A comparison has a connection and a snapshot for some seconds. */
const concurrentMax = 2;
const timeoutMs = 300_000;
/** Each may have a hundred kilobytes. */
const batchRows = 100;

interface CompareOptions {
  /** Names the caller: each has one comparison at a time. */
  readonly caller: string;
  readonly signal: AbortSignal;
  /** Whether the caller may know who has changed a record. */
  readonly showsActors: boolean;
}

/** Compares two states of the catalog, on a connection of its own. */
export type CompareCatalogs = <Result>(
  points: ComparedPoints,
  options: CompareOptions,
  read: (comparison: Comparison) => Promise<Result>,
) => Promise<Result>;

/** Creates the comparisons of a running service. @throws ServiceError `RATE_LIMITED`, `UNAVAILABLE` beyond the limits. */
export function createComparer(url: string): CompareCatalogs {
  const places = createPlaces({ placesMax: concurrentMax, one: 'a comparison', many: 'comparisons' });
  return async (points, { caller, signal, showsActors }, read) => {
    const leave = places.take(caller);
    try {
      return await readComparison(
        { url, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), showsActors },
        points,
        read,
      );
    } finally {
      leave();
    }
  };
}

interface Connection {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly showsActors: boolean;
}

export function readComparison<Result>(
  { showsActors, ...connection }: Connection,
  { from, to }: ComparedPoints,
  read: (comparison: Comparison) => Promise<Result>,
): Promise<Result> {
  return inTransaction({ ...connection, mode: 'ISOLATION LEVEL REPEATABLE READ' }, async (client) =>
    read(await Comparison.open(client, await statesToCompare(client, from, to), showsActors)),
  );
}

/** The records that differ, while the transaction is open. */
export class Comparison {
  readonly #client: Client;
  readonly counts: ComparisonCounts;
  /** Of the later state. */
  readonly #until: Date;
  readonly #showsActors: boolean;

  private constructor(client: Client, counts: ComparisonCounts, until: Date, showsActors: boolean) {
    this.#client = client;
    this.counts = counts;
    this.#until = until;
    this.#showsActors = showsActors;
  }

  static async open(
    client: Client,
    [from, to]: readonly [CatalogState, CatalogState],
    showsActors: boolean,
  ): Promise<Comparison> {
    // Entries of the log are read by their ids.
    await client.query('SET LOCAL enable_nestloop = on');
    for (const [name, { records }] of [
      ['earlier', from],
      ['later', to],
    ] as const) {
      await client.query(`CREATE TEMPORARY TABLE ${name} AS ${records.text}`, records.values);
    }
    await client.query(difference);
    await client.query('CREATE INDEX ON later (id); CREATE INDEX ON earlier (id)');
    const { rows } = await client.query<ComparisonCounts>(counted);
    const [counts] = rows;
    if (counts === undefined) throw new Error('A query that always has one row had none.');
    return new Comparison(client, counts, new Date(Math.max(from.at.getTime(), to.at.getTime())), showsActors);
  }

  /** The number of fields that differ, of all records: as many as `recordChangeOf` lists. */
  async countFields(): Promise<number> {
    const { rows } = await this.#client.query<{ count: number }>(countedFields);
    return rows[0]?.count ?? 0;
  }

  /** The records, programs before their branches, in batches. */
  async *batches(): AsyncGenerator<readonly ComparedRow[]> {
    await this.#client.query(`DECLARE compared NO SCROLL CURSOR FOR ${listed}`, [this.#until, this.#showsActors]);
    for (;;) {
      const { rows } = await this.#client.query<ComparedRow>(`FETCH ${batchRows} FROM compared`);
      if (rows.length === 0) return;
      yield rows;
    }
  }
}

/** What differs between the states: tables, as common table expressions would be sorted and written once more. */
const difference = `CREATE TEMPORARY TABLE difference AS
  SELECT coalesce(earlier.kind, later.kind) AS kind, coalesce(earlier.id, later.id) AS id,
    earlier.snapshot AS before, later.snapshot AS after,
    (coalesce(later.snapshot, earlier.snapshot) ->> 'programId')::int AS program_id
  FROM earlier FULL JOIN later ON earlier.kind = later.kind AND earlier.id = later.id
  WHERE ${differ('earlier.snapshot', 'later.snapshot')}`;

const isRenamed = `before ->> 'name' <> after ->> 'name'`;
const isMoved = `coalesce(before ->> 'programId' <> after ->> 'programId', false)`;

const counted = `SELECT
    count(*) FILTER (WHERE before IS NULL)::int AS created, count(*) FILTER (WHERE after IS NULL)::int AS deleted,
    count(*) FILTER (WHERE ${isRenamed})::int AS renamed, count(*) FILTER (WHERE ${isMoved})::int AS moved,
    count(*) FILTER (WHERE before IS NOT NULL AND after IS NOT NULL AND NOT ${isRenamed} AND NOT ${isMoved})::int AS changed
  FROM difference`;

/** The fields of a snapshot, and its attributes. */
const fieldsOf = (snapshot: string): string => `(
    SELECT 'field' AS kind, key, value FROM jsonb_each(${snapshot} - 'attributes')
    UNION ALL SELECT 'attribute', key, value FROM jsonb_each(${snapshot} -> 'attributes')
  )`;

const isFilled = `coalesce(old.value, new.value) NOT IN ('null', '""')`;
const isChanged = differ(`coalesce(old.value, 'null')`, `coalesce(new.value, 'null')`);
const countedFields = `SELECT count(*)::int AS count FROM difference CROSS JOIN LATERAL (
    SELECT FROM ${fieldsOf('before')} AS old FULL JOIN ${fieldsOf('after')} AS new USING (kind, key)
    WHERE CASE WHEN before IS NULL OR after IS NULL THEN ${isFilled} ELSE ${isChanged} END
  ) AS fields`;

// Sorted before their last changes are read, which a reader of the first records does for these alone. A record that
// differs has changed between the two; a long import may have begun before the first, and ended after it: its entries have
// the time of its beginning.
const order = 'coalesce(program_id, id), kind DESC, id';
const listed = `
  SELECT listed.kind, listed.id, before, after,
    coalesce(coalesce(
      (SELECT snapshot FROM later WHERE later.kind = 'Program' AND later.id = program_id),
      (SELECT snapshot FROM earlier WHERE earlier.kind = 'Program' AND earlier.id = program_id)
    ) ->> 'name', (SELECT name FROM programs WHERE id = program_id)) AS "programName",
    CASE WHEN $2::boolean THEN last.actor END AS "lastActor", last.at AS "lastAt", last.change_id AS "lastChangeId"
  FROM (SELECT * FROM difference ORDER BY ${order}) AS listed LEFT JOIN LATERAL (
    SELECT actor, at, change_id FROM audit_entries
    WHERE subject = listed.kind AND subject_id = listed.id AND at <= $1
    ORDER BY audit_entries.id DESC LIMIT 1
  ) AS last ON true`;
