// What `npm start` runs: the service, its command line and their packages in a few files, since loading 1,500 modules
// takes longer than all else that a start does. What only some processes need is a file of its own, loaded on demand.

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

export default defineConfig({
  input: { main: 'src/entries/service.ts', 'cli/main': 'src/entries/command-line.ts' },
  platform: 'node',
  tsconfig: 'tsconfig.json',
  plugins: [oneGraphql, lodashRequires, bundledPackages()],
  // Not installed; `pg` loads it only when asked to.
  external: ['pg-native'],
  // `debug` takes it where another package has brought it: not everywhere, and equal commits make equal bytes.
  resolve: { alias: { 'supports-color': false } },
  // Either would leave out calls of which only the error is used, such as `decodeURIComponent(path);`.
  treeshake: false,
  output: { dir: 'dist', cleanDir: true, chunkFileNames: 'chunks/[name].js', sourcemap: true, minify: false },
});
