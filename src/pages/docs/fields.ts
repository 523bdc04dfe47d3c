import type { Schema } from '../../rest/openapi/types.ts';
import { type Html, html } from '../html.ts';
import { markdownLine } from '../markdown.ts';

/** Looks up what a reference points at. */
export type Resolve = <Part extends object>(part: Part | { readonly $ref: string }) => Part;

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly required: boolean;
}

/** A list of fields, each with its type, its rules and its description. */
export function fieldList(fields: readonly Field[], resolve: Resolve): Html {
  return html`<ul class="fields">${fields.map((field) => fieldItem(field, resolve))}</ul>`;
}

/** The fields of an object. */
export function fieldsOf(
  schema: Schema,
  resolve: Resolve,
  { tellsRequired }: { readonly tellsRequired: boolean },
): Html {
  const { properties = {}, required = [] } = resolve<Schema>(schema);
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    description: property.description ?? '',
    required: tellsRequired && required.includes(name),
  }));
  return fieldList(fields, resolve);
}

function fieldItem({ name, schema, description, required }: Field, resolve: Resolve): Html {
  return html`<li><p class="field"><code class="name">${name}</code> <span class="type">${typeOf(schema, resolve)}</span>${
    required && html` <strong class="required">required</strong>`
  }</p>${rules(schema)}<p>${markdownLine(description)}</p>${nested(schema, resolve)}</li>`;
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

function rules(schema: Schema): Html | undefined {
  const told = [
    range(schema.minLength, schema.maxLength, schema.maxLength === 1 ? 'character' : 'characters'),
    range(schema.minimum, schema.maximum, ''),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((rule) => rule !== undefined);
  return told.length === 0 ? undefined : html`<ul class="rules">${told.map((rule) => html`<li>${rule}</li>`)}</ul>`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const number = (value: number) => value.toLocaleString('en');
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `${number(least ?? 0)} or more ${unit}`.trim();
  return `${least === undefined ? 'at most ' : `${number(least)} to `}${number(most)} ${unit}`.trim();
}

function nested({ items }: Schema, resolve: Resolve): Html | undefined {
  if (items?.$ref === undefined) return undefined;
  const fields = fieldsOf(items, resolve, { tellsRequired: false });
  return html`<details class="nested"><summary>Fields of each</summary>${fields}</details>`;
}
