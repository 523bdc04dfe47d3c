import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type Assets, assetsPath, collect } from '../assets.ts';
import { html } from '../html.ts';
import { keyField, siteHeader } from '../layout.ts';
import { compressedResource } from '../resource.ts';
import { tabs } from './tabs.ts';

/** GraphiQL: the page and its large assets. */
export interface Graphiql {
  readonly page: string;
  readonly assets: Assets;
}

/** The base path of its assets. */
export const graphiqlAssetsPath = `${assetsPath}/graphiql`;

const require = createRequire(import.meta.url);
const script = 'text/javascript; charset=utf-8';

/** The package's exports, with the name and media type under which each is served. */
const files = {
  js: ['graphiql.js', script],
  css: ['graphiql.css', 'text/css; charset=utf-8'],
  editorWorkerService: ['worker-editor.js', script],
  jsonWorker: ['worker-json.js', script],
  graphqlWorker: ['worker-graphql.js', script],
} as const;

/**
 * Prepares GraphiQL from a package, so that browsers need no other host. Editor and workers are separate files, so that
 * the page needs no inline scripts.
 *
 * @param own the assets that all pages share.
 */
export async function prepareGraphiql(own: Assets, version: string): Promise<Graphiql> {
  const packed = await packInThread(Object.keys(files));
  const assets = collect(
    graphiqlAssetsPath,
    Object.values(files).map(([name, mediaType], index) => {
      const { bytes, gzipped } = packedFile.parse(packed[index]);
      return [name, compressedResource(mediaType, { plain: Buffer.from(bytes), gzipped: Buffer.from(gzipped) })];
    }),
  );
  return { page: pageOf(own, assets, version), assets };
}

const packedFile = z.object({ bytes: z.instanceof(Uint8Array), gzipped: z.instanceof(Uint8Array) });

/**
 * Reads and compresses the package's exports in a worker thread: nine megabytes of source, which would block the event loop
 * for a third of a second and stay in memory as a module.
 */
function packInThread(names: readonly string[]): Promise<unknown[]> {
  const path = require.resolve('@graphql-yoga/render-graphiql/graphiql');
  const thread = new Worker(
    `const { parentPort, workerData: { path, names } } = require('node:worker_threads');
    const { gzipSync } = require('node:zlib');
    const built = require(path);
    parentPort.postMessage(names.map((name) => ({ bytes: Buffer.from(built[name]), gzipped: gzipSync(built[name]) })));`,
    { eval: true, workerData: { path, names } },
  );
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
}

function pageOf(own: Assets, assets: Assets, version: string): string {
  const tools = keyField('Fetching the schema needs a key.');
  const workers = {
    editorWorkerService: assets.urlOf('worker-editor.js'),
    json: assets.urlOf('worker-json.js'),
    graphql: assets.urlOf('worker-graphql.js'),
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>GraphiQL · Academic Structure Service</title>
<link rel="icon" href="${own.urlOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${own.urlOf('theme.css')}">
<link rel="stylesheet" href="${own.urlOf('header.css')}">
<link rel="stylesheet" href="${assets.urlOf('graphiql.css')}">
<link rel="stylesheet" href="${own.urlOf('graphiql-page.css')}">
<script defer src="${assets.urlOf('graphiql.js')}"></script>
<script type="module" src="${own.urlOf('graphiql-page.js')}"></script>
</head>
<body data-schema="needs key">
${siteHeader(own, { version, tools, path: '/graphql' })}
<noscript>GraphiQL needs JavaScript. Without it, POST to <code>/graphql</code>.</noscript>
<main id="graphiql" data-workers="${JSON.stringify(workers)}" data-tabs="${JSON.stringify(tabs)}"><p class="loading">Loading GraphiQL…</p></main>
</body>
</html>
`;
  return page.markup;
}
