import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';
import { Client } from '../../src/database/connection/client.ts';
import { readMigrations } from '../../src/database/migrations/migrations.ts';

const prismaFolder = new URL('../../prisma/', import.meta.url);

/** The data model, as `schema.prisma` says it. */
export function readDataModel(): string {
  return readFileSync(new URL('schema.prisma', prismaFolder), 'utf8');
}

/** Prisma's schema engine on one database. */
export interface OpenSchemaEngine {
  readonly engine: SchemaEngine;
  close(): Promise<void>;
}

/**
 * Opens Prisma's own schema engine, as WebAssembly: the native one would have to be downloaded. `prisma migrate` is a
 * command line around the same engine.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<OpenSchemaEngine> {
  const { SchemaEngine } = await loadedOnce();
  const pool = new Pool({ connectionString: databaseUrl, max: 2, Client });
  const engine = await SchemaEngine.new(
    { datamodels: [['schema.prisma', readDataModel()]] },
    // The engine reports its steps; what matters of them comes back as a result or an error.
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(wholeScripts(pool)),
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

/** The engine's module is glued to one instance of its code: a second would find the memory of the first. */
function loadedOnce(): Promise<EngineModule> {
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
 * The adapter as it is, but that it sends a migration as the one script it is. Its own way, cutting at each
 * semicolon, breaks function bodies and comments; and a whole script is one transaction, kept or not.
 */
function wholeScripts(pool: Pool): PrismaPg {
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

/** The migrations in the form that the engine takes. */
export function migrationsList(): MigrationList {
  const folder = new URL('migrations/', prismaFolder);
  return {
    baseDir: fileURLToPath(folder),
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(new URL('migration_lock.toml', folder), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
