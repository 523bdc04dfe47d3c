import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { screens } from './src/shell/screens.ts';

/** The service that the development server passes requests on to. */
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:4000';

/** Has Chrome compile the functions of each file while it loads, beside the main thread, not one by one when called. */
const compileHints: Plugin = {
  name: 'compile-hints',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

/** Writes a page for each screen: its title and its introduction are shown before any script has come. */
const screenPages: Plugin = {
  name: 'screen-pages',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('The page was not built.');
      for (const { to, name, introduction } of screens) {
        const head = `<div class="page-head"><div><h1>${name}</h1><p class="introduction">${introduction}</p></div></div>`;
        const source = page.source.toString().replace(/(<main id="main"[^>]*>)(?=<\/main>)/, `$1${head}`);
        this.emitFile({ type: 'asset', fileName: `screens/${to.slice(1) || 'overview'}.html`, source });
      }
    },
  },
};

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

/** Has the files that every screen needs loaded beside the first script, but after the style sheet of its outline. */
const preload: Plugin = {
  name: 'preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      ['rolldown-runtime', 'react', 'controls', 'common', 'frame'].flatMap((group) =>
        Object.keys(bundle)
          .filter((fileName) => new RegExp(`/${group}-[^/]+\\.js$`).test(fileName))
          .map((fileName) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/console/${fileName}` },
            injectTo: 'head',
          })),
      ),
  },
};

/** Replaces a module of React Aria, whose first line would keep the browser busy longer than any other of the page. */
const englishOnly: Plugin = {
  name: 'english-only',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/\/useDefaultLocale\.m?js$/.test(source)) return null;
    return this.resolve(fileURLToPath(new URL('src/default-locale.ts', import.meta.url)), importer, options);
  },
};

/**
 * React makes its signals, errors that it never reports, while its file runs. Where developer tools listen, as in an
 * audit by Lighthouse, Chrome reads the whole file for the lines of each error's stack: seven eighths of the time of that
 * task. Signals need no stack.
 */
const signalsWithoutStack: Plugin = {
  name: 'signals-without-stack',
  apply: 'build',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler: (code) =>
      code.replace(
        /(\w+Exception) = Error\((formatProdErrorMessage\(\d+\))\)/g,
        '$1 = Object.assign(Object.create(Error.prototype), { message: $2 })',
      ),
  },
};

/** Modules that many screens share are in few files: to load many small ones takes longer. */
const groups = [
  // What the first script needs, and others, too.
  {
    name: 'start',
    test: /preload-helper|src[\\/]main\.ts|screen-files|early-viewer|early-key|early-events|fetch-with-key/,
    priority: 4,
  },
  {
    name: 'react',
    test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]|src[\\/](app|session[\\/]session|components[\\/]page-title|shell[\\/](outline|screen-head|screens))\.tsx?$/,
    priority: 3,
  },
  // What the sign-in needs, too.
  {
    name: 'controls',
    test: /node_modules[\\/](@?react-aria|@?react-stately|react-aria-components|clsx)[\\/]|fields\.tsx/,
    priority: 2,
    minShareCount: 10,
  },
  // The first script of the page waits for none of them.
  { name: 'common', test: /^(?!.*preload-helper)/, minShareCount: 7 },
  // What surrounds the screens.
  {
    name: 'frame',
    test: /src[\\/](signed-in|router|search-parameters|[a-z]+[\\/]search|(api|shell)[\\/](?!renew)|session[\\/]viewer).*\.tsx?$|@tanstack[\\/](react-)?(router|store|history)/,
  },
];

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    englishOnly,
    signalsWithoutStack,
    preload,
    compileHints,
    screenPages,
    precompress,
  ],
  build: {
    // The policy of the page forbids inline content, data URLs of scripts and fonts included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    proxy: Object.fromEntries(['/graphql', '/v1', '/favicon.ico', '/docs', '/assets'].map((path) => [path, service])),
  },
});
