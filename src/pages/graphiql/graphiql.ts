import { type Assets, assetsPath, collect } from '../assets.ts';
import { html } from '../html.ts';
import { resourceOf } from '../resource.ts';
import { tabs } from './tabs.ts';

/** GraphiQL, ready to be served: the page and the large files that it needs. */
export interface Graphiql {
  readonly page: string;
  readonly assets: Assets;
}

/** The path below which its files are. */
export const graphiqlAssetsPath = `${assetsPath}/graphiql`;

const script = 'text/javascript; charset=utf-8';

/**
 * Prepares GraphiQL from a package, so that no browser needs another host. Its editor and its workers are served as
 * files of ours rather than from inside the page, so that the page can do without inline scripts.
 *
 * @param own the files of our pages.
 */
export async function prepareGraphiql(own: Assets): Promise<Graphiql> {
  // Nine megabytes of source: loaded when first asked for, not at every start.
  const built = await import('@graphql-yoga/render-graphiql/graphiql');
  const assets = collect(graphiqlAssetsPath, [
    ['graphiql.js', await resourceOf(script, built.js)],
    ['graphiql.css', await resourceOf('text/css; charset=utf-8', built.css)],
    ['worker-editor.js', await resourceOf(script, built.editorWorkerService)],
    ['worker-json.js', await resourceOf(script, built.jsonWorker)],
    ['worker-graphql.js', await resourceOf(script, built.graphqlWorker)],
  ]);
  return { page: pageOf(own, assets), assets };
}

function pageOf(own: Assets, assets: Assets): string {
  const workers = {
    editorWorkerService: assets.addressOf('worker-editor.js'),
    json: assets.addressOf('worker-json.js'),
    graphql: assets.addressOf('worker-graphql.js'),
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>GraphiQL · Academic Structure Service</title>
<link rel="icon" href="${own.addressOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.addressOf('graphiql.css')}">
<link rel="stylesheet" href="${own.addressOf('graphiql-page.css')}">
<script defer src="${assets.addressOf('graphiql.js')}"></script>
<script type="module" src="${own.addressOf('graphiql-page.js')}"></script>
</head>
<body>
<noscript>GraphiQL needs JavaScript. Without it, POST to <code>/graphql</code>.</noscript>
<div id="graphiql" data-workers="${JSON.stringify(workers)}" data-tabs="${JSON.stringify(tabs)}"><p class="loading">Loading GraphiQL…</p></div>
</body>
</html>
`;
  return page.markup;
}
