import { type Html, html } from '../html.ts';
import { unseen } from '../layout.ts';
import { markdownLine } from '../markdown.ts';
import type { Schema } from '../openapi/types.ts';

/** Resolves a reference. */
export type Resolve = <Part extends object>(part: Part | { readonly $ref: string }) => Part;

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly required: boolean;
}

/** Renders fields with type, constraints and description. */
export function fieldList(fields: readonly Field[], resolve: Resolve): Html {
  return html`<ul class="fields">${fields.map((field) => fieldItem(field, resolve))}</ul>`;
}

/** Renders the fields of an object schema. */
export function fieldsOf(schema: Schema, resolve: Resolve, { showRequired }: { readonly showRequired: boolean }): Html {
  const { properties = {}, required = [] } = resolve<Schema>(schema);
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    description: property.description ?? '',
    required: showRequired && required.includes(name),
  }));
  return fieldList(fields, resolve);
}

function fieldItem({ name, schema, description, required }: Field, resolve: Resolve): Html {
  return html`<li><p class="field"><code class="name">${name}</code> <span class="type">${typeOf(schema, resolve)}</span>${
    required && html` <strong class="required">required</strong>`
  }</p>${constraints(schema)}<p>${markdownLine(description)}</p>${nested(name, schema, resolve)}</li>`;
}

function typeOf({ type, items, additionalProperties, ...schema }: Schema, resolve: Resolve): string {
  if (items !== undefined)
    return `array of ${items.$ref === undefined ? `${typeOf(items, resolve)}s` : nameOf(items.$ref)}`;
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (additionalProperties !== undefined) return `object, each value an ${typeOf(additionalProperties, resolve)}`;
  return Array.isArray(type) ? type.join(' or ') : String(type);
}

function nameOf($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}

function constraints(schema: Schema): Html | undefined {
  const texts = [
    range(schema.minLength, schema.maxLength, schema.maxLength === 1 ? 'character' : 'characters'),
    range(schema.minimum, schema.maximum, ''),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : html`<ul class="rules">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const number = (value: number) => value.toLocaleString('en');
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `${number(min ?? 0)} or more ${unit}`.trim();
  return `${min === undefined ? 'at most ' : `${number(min)} to `}${number(max)} ${unit}`.trim();
}

function nested(name: string, { items }: Schema, resolve: Resolve): Html | undefined {
  if (items?.$ref === undefined) return undefined;
  const fields = fieldsOf(items, resolve, { showRequired: false });
  return html`<details class="nested"><summary>Fields of each${unseen(` of ${name}`)}</summary>${fields}</details>`;
}
