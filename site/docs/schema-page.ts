import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  print,
} from 'graphql';
import { to } from '../address.ts';
import { type Html, html } from '../html.ts';
import { keyField, renderPage, unseen } from '../layout.ts';
import { idOf, markdownLine } from '../markdown.ts';
import { docsFrame } from './frame.ts';
import { type Guide, guidePath, schemaPath } from './guides.ts';
import { otherTypes, rootTypes } from './schema.ts';

/** A field, with its arguments, or a value of an enum. */
interface Member {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type?: GraphQLType;
  readonly args?: readonly GraphQLArgument[];
  readonly defaultValue?: unknown;
}

interface Chapter {
  readonly title: string;
  readonly types: readonly GraphQLNamedType[];
}

const chapters: readonly Chapter[] = [
  ...rootTypes.map((type) => ({ title: type.name.replace(/y$/, 'ie').concat('s'), types: [type] })),
  { title: 'Objects', types: otherTypes.filter((type) => isObjectType(type) || isInterfaceType(type)) },
  { title: 'Inputs', types: otherTypes.filter(isInputObjectType) },
  { title: 'Enums', types: otherTypes.filter(isEnumType) },
  { title: 'Scalars', types: otherTypes.filter(isScalarType) },
];

function membersOf(type: GraphQLNamedType): readonly Member[] {
  if (isEnumType(type)) return type.getValues();
  return 'getFields' in type ? Object.values(type.getFields()) : [];
}

/** All fields, each with the types that it and its arguments have. */
const fields = [...rootTypes, ...otherTypes].flatMap((owner) =>
  membersOf(owner).map(({ name, type, args = [] }) => ({
    field: `${owner.name}.${name}`,
    types: [type, ...args.map((argument) => argument.type)].map(nameOf),
  })),
);
/** Of scalars that nearly every type uses, a list would say nothing. */
const usesMax = 40;

/** Renders the reference of GraphQL: every type with its fields, from `schema.graphql`. */
export function schemaPage(guides: readonly Guide[]): string {
  return renderPage({
    title: 'GraphQL schema · Academic Structure Service',
    description: 'Reference of the GraphQL API: every type, field and argument.',
    path: schemaPath,
    styles: ['docs/docs.css', 'docs/schema.css'],
    scripts: ['docs/guide.js'],
    tools: keyField(),
    main: docsFrame({
      guides,
      path: schemaPath,
      more: html`${chapters.map(contents)}`,
      main: html`<div class="guide schema">
<h1 id="schema"><a class="anchor" href="#schema">GraphQL schema</a></h1>
<p class="lead">Every type, field and argument of <code>/graphql</code>.</p>
<p>Run queries in <a href="${to('/graphql')}">GraphiQL</a>. How to use them is in the <a href="${to(guidePath('graphql'))}">guide</a>, the rules are in the <a href="${to(guidePath('contract'))}#7-graphql">contract</a>, and what to do about a code of an error under <a href="${to(guidePath('errors'))}">errors</a>. </p>
${chapters.map(chapterSection)}
</div>`,
    }),
  });
}

function contents({ title, types }: Chapter): Html {
  const root = rootTypes.find((type) => types.includes(type));
  const names =
    root === undefined
      ? types.map(({ name }) => ({ name, id: name }))
      : membersOf(root).map(({ name }) => ({ name, id: `${root.name}.${name}` }));
  return html`<h2>${title}</h2><ul>${names.map(({ name, id }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>`;
}

function chapterSection({ title, types }: Chapter): Html {
  const id = idOf(title);
  return html`<h2 id="${id}"><a class="anchor" href="#${id}">${title}</a></h2>${types.map(typeSection)}`;
}

function typeSection(type: GraphQLNamedType): Html {
  const { name, description } = type;
  const interfaces = 'getInterfaces' in type ? type.getInterfaces() : [];
  const users = fields.filter(({ types }) => types.includes(name));
  return html`<section class="of-type">
<h3 id="${name}"><a class="anchor" href="#${name}">${name}</a>${interfaces.map((each) => html` <small>implements ${typeLink(each)}</small>`)}</h3>
${paragraph(description)}
<ul class="fields">${membersOf(type).map((member) => memberItem(name, member))}</ul>
${
  users.length > 0 &&
  users.length <= usesMax &&
  html`<p class="uses">Used by ${users.map(({ field }, index) => html`${index > 0 && ', '}<a href="#${field}">${field}</a>`)}</p>`
}
</section>`;
}

function memberItem(owner: string, member: Member): Html {
  const { name, args = [] } = member;
  const id = `${owner}.${name}`;
  return html`<li id="${id}"><p class="field"><a class="anchor" href="#${id}">${unseen(`${owner}.`)}<code class="name">${name}</code></a>${typeOf(member)}</p>${paragraph(member.description)}${
    args.length > 0 &&
    html`<ul class="fields arguments" aria-label="Arguments of ${name}">${args.map(
      (argument) =>
        html`<li><p class="field"><code class="name">${argument.name}</code>${typeOf(argument)}</p>${paragraph(argument.description)}</li>`,
    )}</ul>`
  }</li>`;
}

function typeOf({ type, defaultValue }: Member): Html | false {
  if (type === undefined) return false;
  const value = defaultValue === undefined || !isInputType(type) ? undefined : astFromValue(defaultValue, type);
  const shown = value != null && html` <small>default <code>${print(value)}</code></small>`;
  return html` <span class="type">${typeLink(type)}${shown}</span>`;
}

/** A type with a link to it, such as `[Branch!]!`. */
function typeLink(type: GraphQLType): Html {
  const name = nameOf(type);
  const [before = '', after = ''] = String(type).split(name);
  return html`<code>${before}<a href="#${name}">${name}</a>${after}</code>`;
}

function nameOf(type: GraphQLType | undefined): string {
  return String(type).replace(/\W/g, '');
}

function paragraph(text: string | null | undefined): Html | false {
  return text != null && text !== '' && html`<p>${markdownLine(text.replaceAll('\n', ' '))}</p>`;
}
