import type { OpenApiDocument } from '../../rest/openapi/types.ts';
import type { Assets } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, exampleOrigin, keyField, pageOf } from '../layout.ts';
import { headingsOf, markdown, markdownLine } from '../markdown.ts';
import type { Resolve } from './fields.ts';
import { type Endpoint, methodBadge, operationSection } from './operation.ts';

/** Renders the REST reference from the OpenAPI document. */
export function docsPage(document: OpenApiDocument, assets: Assets): string {
  const { info, tags } = document;
  const endpoints = endpointsOf(document);
  const resolve = resolveIn(document);
  const base = `${exampleOrigin}${document.servers[0]?.url ?? ''}`;
  const firstRequest = `curl -s ${base}/ping \\\n  -H "x-api-key: $KEY"`;
  const sections = tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const main = html`<div class="docs">
<details class="contents" open data-contents><summary>Contents</summary>
<nav aria-label="Contents">
<h2>Guide</h2>
<ul>${[{ id: 'introduction', text: 'Introduction' }, ...headingsOf(info.description)].map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul>
${sections.map(({ name, endpoints }) => html`<h2>${name}</h2><ul>${endpoints.map(contentsItem)}</ul>`)}
</nav></details>
<main id="main">
<section class="guide" id="introduction">
<div class="start">
<div class="text">
<h1>${info.title}</h1>
<p class="lead">${info.summary}</p>
<p>Paste your API key at the top and try every call from this page. To generate a client, use the OpenAPI 3.1 document, as <a href="/openapi.json">JSON</a> or <a href="/openapi.yaml">YAML</a>.</p>
</div>
<div class="examples"><div class="panel"><div class="bar">Base URL</div>${codeBlock(base, 'text', 'Base URL')}</div>
<div class="panel"><div class="bar">First request</div>${codeBlock(firstRequest, 'shell', 'First request')}</div></div>
</div>
<div class="prose">${markdown(info.description)}</div>
</section>
${sections.map(
  ({ name, description, endpoints }) => html`<section class="chapter" aria-label="${name}">
<header><h2>${name}</h2><p>${markdownLine(description)}</p></header>
${endpoints.map((endpoint) => operationSection(endpoint, resolve))}
</section>`,
)}
</main>
</div>`;
  return pageOf(assets, {
    title: `Reference · ${info.title}`,
    description: `Reference of the REST API: ${info.summary}`,
    path: '/docs',
    version: info.version,
    styles: ['docs.css'],
    scripts: ['docs.js'],
    tools: keyField,
    main,
  });
}

function endpointsOf({ servers, paths }: OpenApiDocument): Endpoint[] {
  const base = servers[0]?.url ?? '';
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path: `${base}${path}`, operation })),
  );
}

function contentsItem({ method, operation: { operationId, summary } }: Endpoint): Html {
  return html`<li><a href="#${operationId}">${methodBadge(method)} ${summary}</a></li>`;
}

/** Resolves the references of a document. */
function resolveIn(document: OpenApiDocument): Resolve {
  return <Part extends object>(part: Part | { readonly $ref: string }): Part => {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
    const target = part.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((within, key) => Reflect.get(Object(within), key), document);
    if (typeof target !== 'object' || target === null) throw new Error(`${part.$ref} cannot be resolved.`);
    // Our document refers only to parts of the expected kind; a test resolves them all.
    return target as Part;
  };
}
