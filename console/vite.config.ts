import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
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

export default defineConfig(({ command }) => ({
  // Relative to the `<base>` of the page: the service may be below a path.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), precompress, { ...bundledPackages(), enforce: 'post' }],
  build: {
    // The policy of the page forbids inline content, data URLs of scripts and fonts included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What many screens share is one file, not twenty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] } } },
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
