import type { AnyTransaction } from '@service/postgres/sql';
import type { Actor } from '../../operations/caller.ts';
import { truthOf } from '../rules/truth-values.ts';
import { type DefinitionInput, definitionInput } from './definition-input.ts';
import { type Choice, type Definition, listDefinitions } from './definitions.ts';
import { lockDefinitions, saveDefinition, usesOf } from './save-definition.ts';

/** The columns of a file of definitions: a line for each choice, the first of a key with its kind and label. */
export const definitionColumns = ['key', 'kind', 'label', 'value', 'value_label', 'retired', 'replaced_by'] as const;

type Cells = Readonly<Partial<Record<(typeof definitionColumns)[number], string>>>;

/** Lines of a file by the key of the attribute, in their order. */
export function definitionsIn(rows: Iterable<Cells>): readonly { readonly key: string }[] {
  const byKey = new Map<string, { readonly key: string; kind?: string; label?: string; readonly choices: object[] }>();
  for (const { key = '', kind, label, value, value_label, retired, replaced_by } of rows) {
    const known = byKey.get(key) ?? { key, choices: [] };
    byKey.set(key, known);
    if (kind) known.kind ??= kind.toUpperCase();
    if (label) known.label ??= label;
    if (!value) continue;
    const texts = { label: value_label || undefined, replacedBy: replaced_by || undefined };
    known.choices.push({ value, ...texts, retired: retired ? (truthOf(retired) ?? retired) : undefined });
  }
  return [...byKey.values()].map(({ choices, ...fields }) => ({ ...fields, ...(choices.length > 0 && { choices }) }));
}

/** What loading does to a definition. */
export interface LoadedDefinition {
  readonly key: string;
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly choices: number;
  /** Choices that the file lacks and records have. */
  readonly retired: readonly string[];
  /** Choices that the file lacks and no record has. */
  readonly removed: readonly string[];
}

interface Planned extends Omit<LoadedDefinition, 'outcome'> {
  readonly input: DefinitionInput;
  readonly before: Definition | undefined;
}

/** A choice that is missing and in use stays, retired. */
async function planOf(tx: AnyTransaction, input: DefinitionInput, before: Definition | undefined): Promise<Planned> {
  const { key, choices } = input;
  const none = { key, input, before, retired: [], removed: [] };
  if (choices === undefined) return { ...none, choices: before?.choices.length ?? 0 };
  const given = new Set(choices.map(({ value }) => value));
  const missing = before?.choices.filter(({ value }) => !given.has(value)) ?? [];
  const values = missing.map(({ value }) => value);
  const used = before === undefined ? [] : await usesOf(tx, before, values);
  const inUse = new Set(used.map(({ value }) => value));
  const kept = missing.filter(({ value }) => inUse.has(value)).map((choice): Choice => ({ ...choice, retired: true }));
  const all = [...choices, ...kept];
  return {
    ...none,
    input: definitionInput.parse({ ...input, choices: all }),
    choices: all.length,
    retired: kept.map(({ value }) => value),
    removed: values.filter((value) => !inUse.has(value)),
  };
}

/**
 * Saves definitions, all or none. What they do not say stays.
 * @throws ServiceError as `saveDefinition`.
 */
export async function loadDefinitions(
  tx: AnyTransaction,
  actor: Actor,
  inputs: readonly DefinitionInput[],
): Promise<LoadedDefinition[]> {
  await lockDefinitions(tx);
  const known = new Map((await listDefinitions(tx)).map((definition) => [definition.key, definition]));
  const loaded: LoadedDefinition[] = [];
  for (const given of inputs) {
    const { input, before, ...report } = await planOf(tx, given, known.get(given.key));
    const { version } = await saveDefinition(tx, actor, input);
    const changed = version === before?.version ? 'unchanged' : 'changed';
    loaded.push({ ...report, outcome: before === undefined ? 'created' : changed });
  }
  return loaded;
}
