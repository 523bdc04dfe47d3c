/** Parts of the service that exist for speed alone. */
export const accelerators = ['jit', 'pipelining', 'group-commit', 'write-batch'] as const;
export type Accelerator = (typeof accelerators)[number];

/** What an accelerator may speed up. */
export type Kind = 'cached reads' | 'uncached reads' | 'creates';

interface Replacement {
  readonly affects: readonly Kind[];
  /** The end of the address of the built module. */
  readonly module: string;
  /** Does the same in the plain way. `?original` imports the module itself. */
  readonly source: string;
}

const replacements: Readonly<Record<Accelerator, Replacement>> = {
  jit: {
    affects: ['uncached reads'],
    module: '/dist/graphql/execution/jit.js',
    source: `export const executeJit = async (args, execute) => execute(args);
      export const useJit = () => ({});`,
  },
  pipelining: {
    affects: ['uncached reads'],
    module: '/dist/database/connection/pipelined-pool.js',
    source: `import { openPool, prewarm } from './pool.js';
      export function openPipelinedPool(url) {
        const pool = openPool(url);
        return { query: (statement) => pool.query(statement), prewarm: () => prewarm(pool), close: () => pool.end() };
      }`,
  },
  'group-commit': {
    affects: ['creates'],
    module: '/dist/database/connection/group-commit.js',
    source: `import { openGroupCommit as open } from './group-commit.js?original';
      export function openGroupCommit(options) {
        const run = open(options);
        return (work) => run(work, { groupable: false });
      }`,
  },
  'write-batch': {
    affects: ['cached reads', 'uncached reads'],
    module: '/dist/http/write-batch.js',
    source: 'export const createWriteBatch = () => (write) => write();',
  },
};

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/**
 * Arguments for Node.js that replace an accelerator by plain code, so that the service itself has no switches for it.
 * The process fails to start when the module is not there any more.
 */
export function argumentsWithout(accelerator: Accelerator): readonly string[] {
  const { module, source } = replacements[accelerator];
  const hooks = `export async function load(url, context, next) {
    return url.endsWith(${JSON.stringify(module)})
      ? { format: 'module', source: ${JSON.stringify(source)}, shortCircuit: true }
      : next(url, context);
  }`;
  return ['--import', dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`)];
}

/** The address of the replaced module, below the root of the project. */
export const moduleOf = (accelerator: Accelerator): string => replacements[accelerator].module;

export const affectedBy = (accelerator: Accelerator): readonly Kind[] => replacements[accelerator].affects;
