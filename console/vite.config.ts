import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

/** Has the largest file, which every screen needs, loaded beside the first script, which asks for it later. */
const preloadReact: Plugin = {
  name: 'preload-react',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle).flatMap(({ fileName }) =>
        /\/react-[^/]+\.js$/.test(fileName)
          ? { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${fileName}` } }
          : [],
      ),
  },
};

/** Modules that many screens share are in few files: to load many small ones takes longer. */
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/, priority: 2 },
  // What the sign-in needs, too.
  {
    name: 'controls',
    test: /node_modules[\\/](@?react-aria|@?react-stately|react-aria-components|clsx)[\\/]|fields\.tsx|session\.ts/,
    priority: 1,
    minShareCount: 10,
  },
  // The first script of the page waits for none of them.
  { name: 'common', test: /^(?!.*preload-helper)/, minShareCount: 7 },
];

export default defineConfig({
  base: '/console/',
  plugins: [react(), { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' }, preloadReact, precompress],
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
