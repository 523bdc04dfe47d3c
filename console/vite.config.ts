import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
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

/** The pages of screens that are not in the navigation: their path, and the module of the screen. */
const otherPages = {
  'programs/new': 'program/new-program',
  'programs/record': 'program/program',
  'branches/record': 'branch/branch',
};

/**
 * Writes a page for each screen: it names the screen's own files and, where they are always the same, shows its title and
 * introduction before any script.
 */
const screenPages: Plugin = {
  name: 'screen-pages',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('The page was not built.');
      const html = page.source.toString();
      const write = (path: string, module: string, head = ''): void => {
        const links = filesOfScreen(module, bundle).filter((fileName) => !html.includes(fileName));
        const source = html
          .replace(/(<main id="main"[^>]*>)(?=<\/main>)/, `$1${head}`)
          .replace(/(<template id="preload-signed-in">.*?)(?=<\/template>)/, `$1${links.map(preloadLink).join('')}`);
        this.emitFile({ type: 'asset', fileName: `screens/${path}.html`, source });
      };
      for (const { to, name, introduction } of screens) {
        const path = to.slice(1) || 'overview';
        const head = `<div class="page-head"><div><h1>${name}</h1><p class="introduction">${introduction}</p></div></div>`;
        write(path, `${path}/${path}`, head);
      }
      for (const [path, module] of Object.entries(otherPages)) write(path, module);
    },
  },
};

/** The files of a screen: its script, the scripts that this one imports, and its style sheets. */
function filesOfScreen(module: string, bundle: Rolldown.OutputBundle): readonly string[] {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.facadeModuleId?.endsWith(`/src/${module}-screen.tsx`)) {
      return [file.fileName, ...file.imports, ...(file.viteMetadata?.importedCss ?? [])];
    }
  }
  throw new Error(`The screen ${module} was not built.`);
}

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

/** The files that a page has loaded once it shows its outline, by the template that names them. */
const firstFiles = {
  preload: ['rolldown-runtime', 'react', 'controls'],
  'preload-signed-in': ['client', 'common', 'frame'],
};

/**
 * Names the files that every screen needs. `main.ts` has them loaded, beside each other, once the page shows its outline:
 * Chrome compiles what it loads, and takes the processor from the outline for that.
 */
const preload: Plugin = {
  name: 'preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.entries(firstFiles).map(([id, names]) => {
        const isNamed = new RegExp(`/(${names.join('|')})-[^/]+\\.js$`);
        const links = Object.keys(bundle).filter((fileName) => isNamed.test(fileName));
        return { tag: 'template', attrs: { id }, children: links.map(preloadLink).join(''), injectTo: 'head' };
      }),
  },
};

const preloadLink = (fileName: string): string =>
  `<link rel="${fileName.endsWith('.css') ? 'preload" as="style' : 'modulepreload'}" crossorigin href="/console/${fileName}">`;

/**
 * Puts the icon of the service in the page, as a symbol that every logo uses: as an image, Chrome makes a document of its
 * own of it each time.
 */
const logo: Plugin = {
  name: 'logo',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(
        '<!-- logo -->',
        readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8')
          .replace(/^<svg[^>]*(viewBox="[^"]+")[^>]*>/, '<svg display="none"><symbol id="logo" $1>')
          .replace('</svg>', '</symbol></svg>'),
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
    test: /preload-helper|src[\\/]main\.ts|screen-files|first-reads|early-(events|key|reads)|fetch-with-key/,
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
  // The client of the API: `main.ts` runs it before the screens.
  {
    name: 'client',
    test: /node_modules[\\/](@urql|urql|wonka|@0no-co|graphql-sse)[\\/]|src[\\/]api[\\/]/,
    priority: 1,
  },
  // The first script of the page waits for none of them.
  { name: 'common', test: /^(?!.*preload-helper)/, minShareCount: 7 },
  // What surrounds the screens, and the small modules that several of them share.
  {
    name: 'frame',
    test: /src[\\/](components[\\/](focus-after|list-count|more-filters|use-leave-after|use-pass-focus|use-restored-scroll)|programs[\\/]no-programs|signed-in|router|search-parameters|[a-z]+[\\/]search|shell[\\/](?!renew)|session[\\/]viewer).*\.tsx?$|@tanstack[\\/](react-)?(router|store|history)/,
  },
];

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    englishOnly,
    signalsWithoutStack,
    logo,
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
    proxy: Object.fromEntries(
      ['/graphql', '/v1', '/export', '/import', '/favicon.ico', '/docs', '/assets'].map((path) => [path, service]),
    ),
  },
});
