import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import type { RecordKind, Table } from '../kinds.ts';
import { undoingOf } from '../sql/undone-by.ts';

/** All entries of a change as one. */
export interface ChangeSummary {
  readonly changeId: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly programs: number;
  readonly branches: number;
  /** The program, or else the branch, that was changed first; null if nothing was. */
  readonly subject: string | null;
  readonly subjectId: number | null;
  readonly name: string | null;
  /** Of an update: those that differ in one of its first records. */
  readonly fields: readonly string[] | null;
  /** Of an import: the name of its file, how many records it created and changed, and how many rows it left out. */
  readonly file: string | null;
  /** What the user has done, of an import that is not one of a file. */
  readonly origin: string | null;
  readonly created: number | null;
  readonly changed: number | null;
  readonly skipped: number | null;
  /** Of a change that moves branches alone: the program that they came from, if it is one, and the one that they are in. */
  readonly movedFromId: number | null;
  readonly movedToId: number | null;
  /** The change that it undid, and the one by which it is undone. */
  readonly undoes: string | null;
  readonly undoneBy: string | null;
}

/** Entries of the log that are of the catalog. */
export const ofCatalog = Prisma.sql`subject IN ('Program', 'Branch', 'Catalog')`;

/** No identifier of an entry is larger. */
const idMax = 2_147_483_647;

/** So many records of a change are compared: what is done to many is mostly the same. */
const comparedMax = 20;

interface Changes {
  /** Common table expressions that end with `change (at, change_id)`; those before may be recursive. */
  readonly ctes: Prisma.Sql;
  readonly limit: number;
}

/**
 * Reads each change by its first and last entry, whatever its size, the newest first. Its entries have one time, the
 * beginning of its transaction; the first is of a program, if there is one; the last is that of an import or undo, with the
 * numbers. Entries of other changes are counted in the index of times and changes.
 */
export const sumUp = (db: AnyTransaction, changes: Changes): Promise<ChangeSummary[]> =>
  queryRows(db, summariesOf(changes));

/**
 * Selects the summaries. The first and last entry of a change are found by the whole key of their index: by the change
 * alone, ordered by id, PostgreSQL reads the table in order of id once a large import has most of its entries.
 */
export const summariesOf = ({ ctes, limit }: Changes): Prisma.Sql =>
  Prisma.sql`WITH RECURSIVE ${ctes}, newest AS (
      SELECT change.at, change.change_id, last.id, last.subject, last.action, last.after
      FROM change, LATERAL (
        SELECT * FROM audit_entries WHERE (audit_entries.change_id, id) <= (change.change_id, ${idMax})
        ORDER BY audit_entries.change_id DESC, id DESC LIMIT 1
      ) AS last
      ORDER BY change.at DESC, last.id DESC LIMIT ${limit}
    )
    SELECT newest.change_id AS "changeId", newest.at, begun.actor, CASE
        WHEN NOT ${ofFile} AND newest.action = 'import' THEN 'update'
        WHEN newest.subject = 'Catalog' OR newest.action = begun.action THEN newest.action ELSE 'update'
      END AS action, counted.programs, counted.branches, nullif(begun.subject, 'Catalog') AS subject,
      begun.subject_id AS "subjectId", coalesce(begun.after, begun.before) ->> 'name' AS name,
      CASE WHEN newest.action IN ('update', 'import') AND NOT ${ofFile} THEN nullif(ARRAY(
        SELECT DISTINCT field COLLATE "C" FROM (
          SELECT before, after FROM audit_entries
          WHERE (audit_entries.change_id, id) >= (newest.change_id, 0)
            AND (audit_entries.change_id, id) <= (newest.change_id, ${idMax})
          ORDER BY audit_entries.change_id, id LIMIT ${comparedMax}
        ) AS entry, three_way(before, after, after) ORDER BY 1
      ), '{}') END AS fields,
      CASE WHEN newest.action = 'import' THEN newest.after ->> 'origin' END AS origin,
      CASE WHEN ${ofFile} THEN newest.after ->> 'file' END AS file,
      CASE WHEN ${ofFile} THEN ${imported('created')} END AS created,
      CASE WHEN ${ofFile} THEN ${imported('changed')} END AS changed,
      CASE WHEN ${ofFile} THEN (newest.after ->> 'skipped')::int END AS skipped,
      CASE WHEN moved.count = counted.branches AND counted.programs = 0 AND moved.origins = 1 THEN moved.origin END
        AS "movedFromId",
      CASE WHEN moved.count = counted.branches AND counted.programs = 0 AND moved.targets = 1 THEN moved.target END
        AS "movedToId",
      CASE WHEN newest.action = 'undo' THEN newest.after ->> 'changeId' END AS undoes,
      ${undoingOf(Prisma.sql`newest.change_id`)} AS "undoneBy"
    FROM newest, LATERAL (
        SELECT * FROM audit_entries WHERE (audit_entries.change_id, id) >= (newest.change_id, 0)
        ORDER BY audit_entries.change_id, id LIMIT 1
      ) AS begun, LATERAL (
        SELECT ${numberOf('programs', 'Program')} AS programs, ${numberOf('branches', 'Branch')} AS branches
      ) AS counted, LATERAL (
        SELECT count(*) AS count, count(DISTINCT entry.origin) AS origins, min(entry.origin) AS origin,
          count(DISTINCT entry.target) AS targets, min(entry.target) AS target
        FROM (
          SELECT (before ->> 'programId')::int AS origin, (after ->> 'programId')::int AS target FROM audit_entries
          WHERE begun.action = 'update' AND begun.before ->> 'programId' <> begun.after ->> 'programId'
            AND audit_entries.at = newest.at AND audit_entries.change_id = newest.change_id AND subject = 'Branch'
            AND before ->> 'programId' <> after ->> 'programId'
        ) AS entry
      ) AS moved
    ORDER BY newest.at DESC, newest.id DESC`;

/** Whether the last entry is that of an import of a file. */
const ofFile = Prisma.sql`(newest.action = 'import' AND newest.after ->> 'origin' IS NULL)`;

const imported = (field: 'created' | 'changed') =>
  Prisma.sql`(newest.after -> 'programs' ->> ${field})::int + (newest.after -> 'branches' ->> ${field})::int`;

/** The number of changed records of a kind: from the summary of an import or an undo, or else counted. */
const numberOf = (field: Table, subject: RecordKind) => Prisma.sql`CASE newest.action
    WHEN 'import' THEN (newest.after -> ${field} ->> 'created')::int + (newest.after -> ${field} ->> 'changed')::int
    WHEN 'undo' THEN (newest.after ->> ${field})::int
    ELSE (
      SELECT count(*)::int FROM audit_entries
      WHERE audit_entries.at = newest.at AND audit_entries.change_id = newest.change_id AND audit_entries.subject = ${subject}
    )
  END`;
