// What `npm start` runs: the service, its command line and their packages in a few files, since loading 1,500 modules
// takes longer than all else that a start does. What only some processes need is a file of its own, loaded on demand.

import { pathToFileURL } from 'node:url';
import { defineConfig } from 'rolldown';
import { bundledPackages } from './licenses/bundled-packages.js';

/**
 * One graphql for packages of both kinds of modules: its classes are told apart by identity.
 *
 * @type {import('rolldown').Plugin}
 */
const oneGraphql = {
  name: 'one-graphql',
  resolveId: {
    filter: { id: /^graphql(?:\/|$)/ },
    async handler(name, importer, options) {
      const resolved = await this.resolve(name, importer, { ...options, skipSelf: true });
      return resolved && { ...resolved, id: resolved.id.replace(/\.js$/, '.mjs') };
    },
  },
};

/**
 * lodash asks for a method of a module that Node.js alone gives it; without, it calls one that is deprecated.
 *
 * @type {import('rolldown').Plugin}
 */
const lodashRequires = {
  name: 'lodash-requires',
  transform: {
    filter: { id: /node_modules.lodash\.merge/ },
    handler: (code) => ({ code: code.replaceAll('freeModule.require', 'require'), map: null }),
  },
};

/**
 * Messages of zod in 50 other languages, half of it, which nobody asks for.
 *
 * @type {import('rolldown').Plugin}
 */
const oneLanguage = {
  name: 'one-language',
  load: { filter: { id: /node_modules.zod.v4.locales.index\.js$/ }, handler: () => 'export {};' },
};

/**
 * Prisma's query compiler as a file: as text in a module it stays in memory twice, 7 MB.
 *
 * @type {import('rolldown').Plugin}
 */
const compilerFile = {
  name: 'compiler-file',
  transform: {
    filter: { id: /\.wasm-base64\.mjs$/ },
    async handler(_code, id) {
      const { wasm } = await import(pathToFileURL(id).href);
      const source = Buffer.from(wasm, 'base64');
      const file = this.emitFile({ type: 'asset', fileName: 'query-compiler.wasm', source });
      const read = `readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file}))`;
      return { code: `import { readFileSync } from 'node:fs';\nexport const wasm = ${read};\n`, map: null };
    },
  },
};

export default defineConfig({
  input: { main: 'src/entries/service.ts', 'cli/main': 'src/entries/command-line.ts' },
  platform: 'node',
  tsconfig: 'tsconfig.json',
  plugins: [oneGraphql, lodashRequires, oneLanguage, compilerFile, bundledPackages()],
  // Not installed; `pg` loads it only when asked to.
  external: ['pg-native'],
  resolve: {
    alias: {
      // `debug` takes it where another package has brought it: not everywhere, and equal commits make equal bytes.
      'supports-color': false,
      // Express loads it for middleware that is not used here, with half a megabyte of character sets.
      'body-parser': false,
    },
  },
  // Either would leave out calls of which only the error is used, such as `decodeURIComponent(path);`.
  treeshake: false,
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'chunks/[name].js',
    sourcemap: true,
    minify: false,
    // V8 keeps a file with one character beyond Latin-1 in two bytes a character.
    charset: 'ascii',
    comments: { jsdoc: false, annotation: false },
  },
});
