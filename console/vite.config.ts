import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import compile from 'icu-minify/compile';
import { defineConfig, type Plugin } from 'vite';
import { bundledPackages } from '../licenses/bundled-packages.js';

/** The service that the development server passes requests on to. */
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:4000';

/** Writes each file compressed, too, so that the service compresses nothing. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(bytes, { params }) });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
      }
    },
  },
};

/** Compiles the messages of a catalog: the page has no parser for them. */
const compileCatalogs: Plugin = {
  name: 'compile-catalogs',
  transform: {
    filter: { id: /\/language\/catalogs\/\w+\.ts$/ },
    async handler(code) {
      const { messages } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      const compiled = JSON.stringify(messages, (_key, value) => (typeof value === 'string' ? compile(value) : value));
      return { code: `export const messages = ${compiled};`, map: null };
    },
  },
};

/** Lets the browser load the console while it loads the catalog, which runs first. */
const preloadApp: Plugin = {
  name: 'preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' && file.name === 'app' ? [file.fileName, ...file.imports] : []))
        .map((href) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${href}` },
          // Below the `<base>`.
          injectTo: 'head',
        })),
  },
};

/** The files of a folder of `src`: those that begin with one of these names, or all `but` them. */
type Part = readonly string[] | { readonly but: readonly string[] };

const filesOf =
  (folders: Readonly<Record<string, Part>>) =>
  (id: string): boolean => {
    const [, folder = '', file = ''] = /\/src\/([^/]+)\/(.+)/.exec(id) ?? [];
    const part = folders[folder];
    if (part === undefined) return false;
    const names = 'but' in part ? part.but : part;
    return names.some((name) => file.startsWith(name)) !== 'but' in part;
  };

// Below, a folder is named whole where it can be: `but` are what other screens have too, or what comes with a dialog.
const inLists = filesOf({
  'list-bar': { but: ['selection-bar'] },
  table: { but: ['row-actions', 'rows'] },
  cells: { but: ['save', 'unsaved', 'use-unsaved'] },
  paste: { but: ['find-and', 'paste-dialog', 'leftovers', 'match-question', 'titles'] },
  lists: ['page', 'use', 'match', 'search-text', 'name'],
});
const ofLists = (id: string): boolean => inLists(id) || id.includes('virtual');

const ofRecords = filesOf({
  history: ['timeline', 'changed-fields'],
  records: ['record-view', 'record-or'],
  forms: ['edit', 'field-note', 'use-edit'],
  fields: ['attribute-fields'],
  bulk: ['bulk', 'change', 'choose', 'use-bulk', 'problem'],
  note: ['note'],
});

/** Old values beside new ones, with what compares their words: a dialog loads it with the first key, some screens at once. */
const inChanges = filesOf({
  history: ['record-changes', 'changed-values'],
  paste: ['paste-dialog', 'leftovers', 'match-question'],
});
const ofChanges = (id: string): boolean => inChanges(id) || id.includes('/diff/');

export default defineConfig(({ command }) => ({
  // Relative to the `<base>` of the page: the service may be below a path.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), compileCatalogs, preloadApp, precompress, { ...bundledPackages(), enforce: 'post' }],
  resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  build: {
    // The policy of the page forbids inline content, data URLs of scripts and fonts included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // All that runs before the catalog is there, and nothing that has texts.
            { name: 'language', test: /\/src\/language\/language\.ts|\/(?:use-intl|icu-minify|react)\//, priority: 1 },
            // A screen does not load another one for its picture in the navigation.
            { name: 'shared', test: /lucide-react/, minShareCount: 2, priority: 1 },
            // What many screens share is one file, not twenty small ones; what lists and records need comes with those.
            {
              name: 'shared',
              test: (id) => !ofRecords(id) && !ofLists(id) && !ofChanges(id),
              minShareCount: 4,
              priority: 1,
            },
            { name: 'list', test: ofLists, minShareCount: 2 },
            { name: 'record', test: ofRecords, minShareCount: 2 },
            { name: 'changes', test: ofChanges, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/v1', '/export', '/import', '/session', '/favicon.ico', '/docs', '/assets'].map((path) => [
        path,
        service,
      ]),
    ),
  },
}));
