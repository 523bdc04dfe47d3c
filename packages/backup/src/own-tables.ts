import type { Client } from 'pg';

/** The owner's objects in a schema that others may use as well. */
export interface OwnTables {
  /** The tables that a backup contains, in this version or an older one. */
  readonly tables: readonly string[];
  /** Tables and views without meaning in another database: migrations create them again. */
  readonly derived: readonly string[];
  /** The functions that migrations create, with their argument types; others of the same owner are not touched. */
  readonly functions: readonly string[];
}

export interface OwnTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that PostgreSQL does not generate from others, quoted. */
  readonly written: readonly string[];
}

const findTables = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
    array_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS written
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.oid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name)
  GROUP BY c.oid, c.relname ORDER BY array_position($1::text[], c.relname::text)`;

/** A reference that is checked at the commit orders nothing. */
const findReferences = `SELECT conrelid::regclass::text AS referring, confrelid::regclass::text AS referred
  FROM pg_constraint WHERE contype = 'f' AND NOT condeferred AND connamespace = current_schema()::regnamespace`;

/** Finds the tables that belong in a backup: in the order of their names there, but referenced tables first. */
export async function findOwnTables(client: Client, { tables: names }: OwnTables): Promise<OwnTable[]> {
  const { rows: tables } = await client.query<OwnTable>(findTables, [names]);
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

interface Relation {
  /** Quoted. */
  readonly name: string;
  readonly kind: 'TABLE' | 'VIEW';
}

/** Finds all that `dropOwnSchema` drops and clients read, views first. */
export async function findOwnRelations(client: Client, { tables, derived }: OwnTables): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(
    `SELECT quote_ident(relname) AS name, CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind FROM pg_class
      WHERE oid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name) ORDER BY kind DESC, name`,
    [[...tables, ...derived]],
  );
  return rows;
}

interface Sequence {
  readonly name: string;
  readonly next: string;
}

/** The sequences of the tables, with their last values, in the order of their names. */
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

/** Drops the tables, views and functions. Fails when objects of others depend on them. */
export async function dropOwnSchema(client: Client, own: OwnTables): Promise<void> {
  const relations = await findOwnRelations(client, own);
  for (const kind of ['VIEW', 'TABLE'] as const) {
    const names = relations.filter((relation) => relation.kind === kind).map(({ name }) => name);
    if (names.length > 0) await client.query(`DROP ${kind} ${names.join(', ')}`);
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT name::regprocedure::text AS name FROM unnest($1::text[]) AS name WHERE to_regprocedure(name) IS NOT NULL`,
    [own.functions],
  );
  if (rows.length > 0) await client.query(`DROP FUNCTION ${rows.map(({ name }) => name).join(', ')}`);
}
