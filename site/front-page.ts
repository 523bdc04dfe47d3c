import { to } from './address.ts';
import { html } from './html.ts';
import { codeBlock, exampleOrigin, keyField, renderPage, unseen, version } from './layout.ts';

/** An example for REST and GraphQL: the command, and the request that its button sends. */
const examples = [
  {
    name: 'REST',
    about: 'The six operations of the specification, and OpenAPI 3.1 to generate a client from.',
    command: `curl -s ${exampleOrigin}/v1/api/academics/programs \\
  -H "x-api-key: $KEY"`,
    request: { path: '/v1/api/academics/programs?size=3' },
    more: ['/docs', 'Read the reference'],
  },
  {
    name: 'GraphQL',
    about: 'The same data in any shape: programs, branches and years in one request.',
    command: `curl -s ${exampleOrigin}/graphql \\
  -H "x-api-key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"query": "{ programs { items { name branches { name } } } }"}'`,
    request: { path: '/graphql', query: '{ programs(size: 3) { items { name branches { name } } } }' },
    more: ['/graphql', 'Open GraphiQL'],
  },
] as const;

const doors = [
  {
    path: '/console',
    title: 'Keep the catalog',
    about:
      'Find, create, change and import programs and branches, by hand or from a spreadsheet. Every change can be undone.',
    // The door itself is the link.
    more: [],
  },
  {
    path: '/docs/start',
    title: 'Build on the API',
    about:
      'REST and GraphQL over one catalog, for portals, timetables and reports. From nothing to a client in five steps.',
    more: [
      ['/docs/start', 'Start here'],
      ['/docs', 'REST'],
      ['/docs/schema', 'GraphQL'],
      ['/docs/recipes', 'Recipes'],
    ],
  },
] as const;

/** REST takes a key alone; GraphQL the session of the console, too. */
const keyOfTab = () => html`${keyField()}
<p class="hint">The key is stored for this tab only. The first start of the service prints one; <code>keys create --user admin</code> on its command line creates another.</p>`;

/** The front page: two doors, the state of the service, examples. */
export function frontPage(): string {
  const main = html`<main id="main" class="front">
<section class="hero">
<h1>The academic structure of a university</h1>
<p>Programs, the branches of each, and the years of each branch: one catalog, over REST and GraphQL.</p>
</section>
<div class="doors">${doors.map(
    ({ path, title, about, more }) => html`
<section class="door">
<h2><a href="${to(path)}">${title}</a></h2>
<p>${about}</p>
${more.length > 0 && html`<p class="more">${more.map(([href, text]) => html`<a href="${to(href)}">${text}</a>`)}</p>`}
</section>`,
  )}
</div>
<section class="state" aria-labelledby="state-title">
<h2 id="state-title">This service</h2>
<dl>
<div><dt>Status</dt><dd><span data-ready role="status">checking…</span></dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Programs</dt><dd data-count="programs">–</dd></div>
<div><dt>Branches</dt><dd data-count="branches">–</dd></div>
</dl>
</section>
<div class="surfaces">${examples.map(
    ({ name, about, command, request, more: [href, text] }) => html`
<section class="surface" aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p>${about}</p>
${name === 'REST' && keyOfTab()}
${codeBlock(command, 'shell', `${name} example`)}
<p class="actions"><button type="button" class="primary" data-run="${JSON.stringify(request)}">Run it${unseen(` over ${name}`)}</button><a href="${to(href)}">${text}</a></p>
<div class="live" data-live aria-live="polite" hidden></div>
</section>`,
  )}
</div>
<footer class="foot"><a href="${to('/readyz')}">Readiness</a> · <a href="${to('/livez')}">Liveness</a> · <a href="${to('/licenses')}">Licences</a> · Prometheus reads <code>/metrics</code>, on a port of its own when <code>METRICS_PORT</code> is set.</footer>
</main>`;
  return renderPage({
    title: 'Academic Structure Service',
    description: 'Programs, branches and years of a university, over REST and GraphQL.',
    path: '/',
    styles: ['front/front.css'],
    scripts: ['front/front.js'],
    main,
  });
}
