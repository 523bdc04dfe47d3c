import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Client } from '@service/postgres/client';
import { readMigrations } from '@service/postgres/migrations/migrations';
import { Pool } from 'pg';
import { migrations } from '../../src/database/open-postgres.ts';

const prismaFolder = new URL('../../prisma/', import.meta.url);

/** The text of `schema.prisma`. */
export function readDataModel(): string {
  return readFileSync(new URL('schema.prisma', prismaFolder), 'utf8');
}

/** Prisma's schema engine, connected to one database. */
export interface OpenSchemaEngine {
  readonly engine: SchemaEngine;
  close(): Promise<void>;
}

/**
 * Opens the schema engine behind `prisma migrate`, as WebAssembly: the native build would have to be downloaded.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<OpenSchemaEngine> {
  const { SchemaEngine } = await loadOnce();
  const pool = new Pool({ connectionString: databaseUrl, max: 2, Client });
  const engine = await SchemaEngine.new(
    { datamodels: [['schema.prisma', readDataModel()]] },
    // The engine's log: results and errors are returned anyway.
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(unsplitScripts(pool)),
  );
  return {
    engine,
    close: async () => {
      engine.free();
      await pool.end();
    },
  };
}

type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

let loaded: Promise<EngineModule> | undefined;

/** The glue module holds one WebAssembly instance: loading a second would overwrite its memory. */
function loadOnce(): Promise<EngineModule> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<EngineModule> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const code = readFileSync(entry.replace('schema_engine.js', 'schema_engine_bg.wasm'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { './schema_engine_bg.js': { ...glue } });
  glue.__wbg_set_wasm(exports);
  if (typeof exports['__wbindgen_start'] === 'function') exports['__wbindgen_start']();
  return glue;
}

/**
 * An adapter that sends a migration as one script, in one transaction. The original splits at each semicolon, which
 * breaks function bodies and comments.
 */
function unsplitScripts(pool: Pool): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      await pool.query(script);
    };
    return adapter;
  };
  return factory;
}

/** The migrations in the engine's input format. */
export function migrationsList(): MigrationList {
  const folder = new URL('migrations/', prismaFolder);
  return {
    baseDir: fileURLToPath(folder),
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(new URL('migration_lock.toml', folder), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(migrations.folder).map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
