import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'rolldown';
import options from '../rolldown.config.js';

/** Parts of the service that exist for speed alone. */
export const accelerators = ['fast-path', 'json', 'pipelining', 'group-commit', 'write-batch'] as const;
export type Accelerator = (typeof accelerators)[number];

/** What an accelerator may speed up. */
export type Kind = 'cached reads' | 'uncached reads' | 'creates';

interface Replacement {
  readonly affects: readonly Kind[];
  /** Its source, from `src`. */
  readonly module: string;
  /** Does the same in the plain way. `?original` imports the module itself. */
  readonly source: string;
}

const replacements: Readonly<Record<Accelerator, Replacement>> = {
  'fast-path': {
    affects: ['cached reads', 'uncached reads'],
    module: 'doors/fast-path.ts',
    source: 'export const createFastPath = ({ fallback }) => fallback;',
  },
  json: {
    affects: ['uncached reads'],
    module: 'doors/graphql/execute-as-json.ts',
    source: `export * from './execute-as-json.ts?original';
      export const executeAsJson = async () => undefined;`,
  },
  pipelining: {
    affects: ['uncached reads'],
    module: '../packages/postgres/src/pool.ts',
    source: `import { openPool, prewarm } from './pool.ts?original';
      export * from './pool.ts?original';
      export function openPipelinedPool(url) {
        const pool = openPool(url);
        return { query: (statement) => pool.query(statement), prewarm: () => prewarm(pool), close: () => pool.end() };
      }`,
  },
  'group-commit': {
    affects: ['creates'],
    module: '../packages/postgres/src/group-commit.ts',
    source: `import { openGroupCommit as open } from './group-commit.ts?original';
      export function openGroupCommit(options) {
        const run = open(options);
        return (work) => run(work, { groupable: false });
      }`,
  },
  'write-batch': {
    affects: ['cached reads', 'uncached reads'],
    module: '../packages/http/src/responses/send.ts',
    source: `export * from './send.ts?original';
      export const createWriteBatch = () => (write) => write();`,
  },
};

const root = path.join(import.meta.dirname, '..');
const original = '?original';

/**
 * Builds the service with plain code in place of an accelerator, so that the service itself has no switches for it.
 *
 * @returns the script that starts it.
 * @throws Error when the module is not there any more: nothing would be replaced.
 */
export async function buildWithout(accelerator: Accelerator): Promise<string> {
  const { module, source } = replacements[accelerator];
  const file = path.join(root, 'src', module);
  await access(file);
  const dir = path.join(root, '.builds', `without-${accelerator}`);
  const replace: Plugin = {
    name: 'replace',
    resolveId: (name, importer = '') =>
      name.endsWith(original) ? path.resolve(path.dirname(importer), name) : undefined,
    load: async (id) => {
      if (id === file) return { code: source, moduleType: 'js' };
      return id === file + original ? { code: await readFile(file, 'utf8'), moduleType: 'ts' } : undefined;
    },
  };
  await build({ ...options, cwd: root, plugins: [options.plugins, replace], output: { ...options.output, dir } });
  return path.join(dir, 'main.js');
}

export const affectedBy = (accelerator: Accelerator): readonly Kind[] => replacements[accelerator].affects;
