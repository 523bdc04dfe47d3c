import { to } from '../address.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, exampleOrigin, keyField, renderPage } from '../layout.ts';
import { headingsOf, idOf, markdown, markdownLine } from '../markdown.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import type { Resolve } from './field-list.ts';
import { docsFrame } from './frame.ts';
import { docsPath, type Guide } from './guides.ts';
import { type DocumentedEndpoint, methodBadge, operationSection } from './operation.ts';

/** Renders the REST reference from the OpenAPI document. */
export function docsPage(document: OpenApiDocument, guides: readonly Guide[]): string {
  const { info, tags } = document;
  const endpoints = endpointsOf(document);
  const resolve = resolveIn(document);
  const base = `${exampleOrigin}${document.servers[0]?.url ?? ''}`;
  const firstRequest = `curl -s ${base}/ping \\\n  -H "x-api-key: $KEY"`;
  const chapters = tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const introduction = html`<section class="guide" id="introduction">
<div class="start">
<div class="text">
<h1><a class="anchor" href="#introduction">${info.title}</a></h1>
<p class="lead">${info.summary}</p>
<p>Paste your API key at the top and try every call from this page. To generate a client, use the <a href="${to('/openapi.json')}">OpenAPI 3.1 document</a>.</p>
</div>
<div class="examples"><div class="panel"><div class="bar">Base URL</div>${codeBlock(base, 'text', 'Base URL')}</div>
<div class="panel"><div class="bar">First request</div>${codeBlock(firstRequest, 'shell', 'First request')}</div></div>
</div>
<div class="prose">${markdown(info.description)}</div>
</section>`;
  const operations = chapters.map(
    ({ name, description, endpoints: listed }) => html`<section class="chapter" aria-labelledby="${idOf(name)}">
<header><h2 id="${idOf(name)}"><a class="anchor" href="#${idOf(name)}">${name}</a></h2><p>${markdownLine(description)}</p></header>
${listed.map((endpoint) => operationSection(endpoint, resolve))}
</section>`,
  );
  return renderPage({
    title: `Reference · ${info.title}`,
    description: `Reference of the REST API: ${info.summary}`,
    path: docsPath,
    styles: ['docs/docs.css'],
    scripts: ['docs/docs.js'],
    tools: keyField(),
    main: docsFrame({
      guides,
      path: docsPath,
      more: html`<h2>On this page</h2><ul>${[
        { id: 'introduction', text: 'Introduction' },
        ...headingsOf(info.description, 2),
      ].map(
        ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
      )}</ul>${chapters.map(({ name, endpoints: listed }) => html`<h2>${name}</h2><ul>${listed.map(contentsItem)}</ul>`)}`,
      main: html`${introduction}${operations}`,
    }),
  });
}

function endpointsOf({ servers, paths }: OpenApiDocument): DocumentedEndpoint[] {
  const base = servers[0]?.url ?? '';
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path: `${base}${path}`, operation })),
  );
}

function contentsItem({ method, operation: { operationId, summary } }: DocumentedEndpoint): Html {
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
