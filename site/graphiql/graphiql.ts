import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from '@graphql-yoga/render-graphiql/graphiql';
import { assetUrl, newAssetUrl, typefaceUrl } from '../assets.ts';
import { html } from '../html.ts';
import { keyField, siteHeader } from '../layout.ts';
import { tabs } from './tabs.ts';

/**
 * The page of GraphiQL, which comes from a package, so that browsers need no other host. Editor and workers are separate
 * files, so that the page needs no inline scripts.
 */
export function graphiqlPage(): string {
  const workers = {
    editorWorkerService: newAssetUrl('worker-editor.js', editorWorkerService),
    json: newAssetUrl('worker-json.js', jsonWorker),
    graphql: newAssetUrl('worker-graphql.js', graphqlWorker),
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>GraphiQL · Academic Structure Service</title>
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${typefaceUrl()}">
<link rel="stylesheet" href="${assetUrl('theme.css')}">
<link rel="stylesheet" href="${assetUrl('header.css')}">
<link rel="stylesheet" href="${newAssetUrl('graphiql.css', css)}">
<link rel="stylesheet" href="${assetUrl('graphiql/graphiql-page.css')}">
<script type="module" src="${assetUrl('graphiql/editor.js')}"></script>
<script defer src="${newAssetUrl('graphiql.js', js)}"></script>
<script type="module" src="${assetUrl('graphiql/graphiql-page.js')}"></script>
</head>
<body data-schema="needs key">
${siteHeader({ tools: keyField('Fetching the schema needs a key.'), path: '/graphql' })}
<noscript>GraphiQL needs JavaScript. Without it, POST to <code>/graphql</code>.</noscript>
<main id="graphiql" data-workers="${JSON.stringify(workers)}" data-tabs="${JSON.stringify(tabs)}"><p class="loading">Loading GraphiQL…</p></main>
</body>
</html>
`;
  return page.markup;
}
