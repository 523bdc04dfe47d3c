import { type Migration, readMigrations } from '@service/postgres/migrations/migrations';
import type { Client } from 'pg';

/** Without meaning in another database; migrations create them again. */
const derived: ReadonlySet<string> = new Set(['catalog_log', 'change_log', 'catalog_counts']);

export interface OwnTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Includes dropped ones. */
function createdNames(migrations: readonly Migration[], what: RegExp): string[] {
  return migrations.flatMap(({ sql }) => Array.from(sql.matchAll(what), ([, name = '']) => name));
}

const createdTables = (migrations: readonly Migration[]): string[] => createdNames(migrations, /CREATE TABLE "(\w+)"/g);

const createdViews = (migrations: readonly Migration[]): string[] => createdNames(migrations, /CREATE VIEW "(\w+)"/g);

const findTables = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.oid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name)
  GROUP BY c.oid, c.relname ORDER BY c.relname`;

const findReferences = `SELECT conrelid::regclass::text AS referring, confrelid::regclass::text AS referred
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;

/** Finds the tables that belong in a backup, referenced tables first. */
export async function findOwnTables(client: Client): Promise<OwnTable[]> {
  const names = createdTables(readMigrations()).filter((name) => !derived.has(name));
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(findTables, [names]);
  const { rows: references } = await client.query<{ referring: string; referred: string }>(findReferences);
  const ordered: OwnTable[] = [];
  const visit = (table: OwnTable): void => {
    if (ordered.includes(table)) return;
    for (const { referring, referred } of references) {
      const other = tables.find(({ name }) => name === referred);
      if (referring === table.name && other !== undefined && other !== table) visit(other);
    }
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}

/** Finds all that `dropOwnSchema` drops and clients read: tables and views, quoted. */
export async function findOwnRelations(client: Client): Promise<string[]> {
  const migrations = readMigrations();
  const { rows } = await client.query<{ name: string }>(
    'SELECT quote_ident(name) AS name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NOT NULL',
    [[...createdViews(migrations), ...createdTables(migrations)]],
  );
  return rows.map(({ name }) => name);
}

interface Sequence {
  readonly name: string;
  readonly next: string;
}

export async function readSequences(client: Client, tables: readonly OwnTable[]): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT s.oid::regclass::text AS name FROM pg_class AS s
      JOIN pg_depend AS d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
      WHERE s.relkind = 'S' AND d.refobjid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name)
      ORDER BY s.relname`,
    [tables.map(({ name }) => name)],
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const next = `SELECT (last_value + is_called::int)::text AS next FROM ${name}`;
    const [row] = (await client.query<{ next: string }>(next)).rows;
    sequences.push({ name, next: row?.next ?? '1' });
  }
  return sequences;
}

/** Drops everything that the migrations created, and nothing else. Fails when foreign objects depend on it. */
export async function dropOwnSchema(client: Client): Promise<void> {
  const migrations = readMigrations();
  const { rows } = await client.query<{ statement: string }>(
    `SELECT 'DROP VIEW ' || string_agg(view_.found::text, ', ') AS statement
      FROM (SELECT to_regclass(quote_ident(name)) AS found FROM unnest($3::text[]) AS name) AS view_
      WHERE found IS NOT NULL HAVING count(*) > 0
    UNION ALL
    SELECT 'DROP TABLE ' || string_agg(table_.found::text, ', ')
      FROM (SELECT to_regclass(quote_ident(name)) AS found FROM unnest($1::text[]) AS name) AS table_
      WHERE found IS NOT NULL HAVING count(*) > 0
    UNION ALL
    SELECT 'DROP FUNCTION ' || string_agg(oid::regprocedure::text, ', ') FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($2) HAVING count(*) > 0`,
    [
      createdTables(migrations),
      createdNames(migrations, /CREATE (?:OR REPLACE )?FUNCTION "(\w+)"/g),
      createdViews(migrations),
    ],
  );
  for (const { statement } of rows) await client.query(statement);
}
