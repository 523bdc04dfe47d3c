import { type Html, html } from '../html.ts';
import { keyField, renderPage } from '../layout.ts';
import { markdownLine } from '../markdown.ts';
import { readTables, type Table } from './data-model.ts';
import { docsFrame } from './frame.ts';
import { dataModelPath, type Guide } from './guides.ts';

/** The columns of the picture; a line leads from a table to the one above, if it belongs to that. */
const places: readonly (readonly string[])[] = [
  ['programs', 'branches', 'branch_years'],
  ['users', 'api_keys', 'sign_in_secret'],
  ['audit_entries', 'change_log', 'attribute_definitions', 'attribute_choices'],
  ['notes', 'saved_views', 'editions', 'edition_chunks', 'idempotency_records', 'search_words'],
];
const [tableWidth, rowHeight, headHeight, gap] = [236, 19, 28, 44];

/** Renders a picture of the tables, and what each column is, from `prisma/schema.prisma`. */
export function dataModelPage(guides: readonly Guide[]): string {
  const tables = readTables();
  return renderPage({
    title: 'Data model · Academic Structure Service',
    description: 'The tables of the database, their columns and how they belong together.',
    path: dataModelPath,
    styles: ['docs/docs.css', 'docs/data-model.css'],
    scripts: ['docs/guide.js'],
    tools: keyField(),
    main: docsFrame({
      guides,
      path: dataModelPath,
      more: html`<h2>Tables</h2><ul>${tables.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>`,
      main: html`<article class="guide">
<h1 id="data-model"><a class="anchor" href="#data-model">Data model</a></h1>
<p class="lead">A program has branches, a branch has years; both may have notes. A user has API keys, sessions among them, and saved views.</p>
<p>The API is the interface; tables may change with every version. They are shown for those who report from the database or operate it: read them, and write through the API, which keeps history, change feed and caches right.</p>
<div class="picture" tabindex="0" role="region" aria-label="Picture of the data model">${picture(tables)}</div>
${tables.map(tableSection)}
</article>`,
    }),
  });
}

function tableSection({ name, description, columns }: Table): Html {
  return html`<h2 id="${name}"><a class="anchor" href="#${name}">${name}</a></h2>
<p>${markdownLine(description)}</p>
<div class="table" tabindex="0" role="region" aria-label="Columns of ${name}"><table><tr><th>column</th><th>type</th><th>what</th></tr>${columns.map(
    (column) =>
      html`<tr><td><code>${column.name}</code></td><td>${column.type}${column.mayBeNull && ' or null'}</td><td>${markdownLine(column.description)}</td></tr>`,
  )}</table></div>`;
}

/** @throws Error when a table has no place yet. */
function picture(tables: readonly Table[]): Html {
  const missing = tables.find(({ name }) => !places.flat().includes(name));
  if (missing !== undefined) throw new Error(`The table ${missing.name} has no place in the picture.`);
  const drawn = places.flatMap((names, index) => {
    let y = 1;
    return names.map((name, place) => {
      const table = tables.find((each) => each.name === name);
      if (table === undefined) throw new Error(`There is no table ${name}.`);
      const isBelowParent = table.parent !== undefined && table.parent === names[place - 1];
      const at = { table, isBelowParent, x: index * (tableWidth + gap) + 1, y, height: heightOf(table) };
      y += at.height + gap;
      return at;
    });
  });
  const width = places.length * (tableWidth + gap) - gap + 2;
  const height = Math.max(...drawn.map((each) => each.y + each.height)) + 1;
  return html`<svg class="data-model" viewBox="0 0 ${width} ${height}" role="img" aria-label="The tables and their columns, each table with those that belong to it below.">${drawn.map(
    ({ table, isBelowParent, x, y }) =>
      html`<g transform="translate(${x} ${y})">${isBelowParent && belongsAbove()}${box(table)}</g>`,
  )}</svg>`;
}

function heightOf({ columns }: Table): number {
  return headHeight + columns.length * rowHeight + 6;
}

function box(table: Table): Html {
  return html`<rect width="${tableWidth}" height="${heightOf(table)}" rx="6"/><text class="name" x="10" y="19">${table.name}</text>${table.columns.map(
    ({ name, type, isKey, mayBeNull }, index) => {
      const y = headHeight + (index + 1) * rowHeight - 5;
      return html`<text${isKey && html` class="key"`} x="10" y="${y}">${name}</text><text class="type" x="${tableWidth - 10}" y="${y}">${type}${mayBeNull && '?'}</text>`;
    },
  )}`;
}

/** The line from a table to the one above that it belongs to: many to one. */
function belongsAbove(): Html {
  const x = tableWidth / 2;
  return html`<path d="M${x} ${-gap}V0M${x - 9} 0L${x} -12L${x + 9} 0"/><text class="type" x="${x - 12}" y="${-gap / 2 + 4}">many to one</text>`;
}
