import type { Details } from '@service/errors/problems';
import type { RecordKind } from '../kinds.ts';
import { type AttributeChanges, isReservedKey } from '../rules/attributes.ts';
import { valueForms } from '../rules/value-forms.ts';
import type { Refusal } from '../sql/writes/refusals.ts';
import type { Choice, Definition } from './definitions.ts';

/** Where values come from: in files a label stands for its value, and a retired choice is accepted. */
export type ValueSource = 'form' | 'file';

export interface Judged {
  /** Values in the form in which they are stored; what has none is as it was given. */
  readonly attributes: AttributeChanges;
  readonly refusals: readonly Refusal[];
  /** Keys of a file whose values are retired choices. */
  readonly retired: readonly Refusal[];
}

interface Settled {
  readonly value: string;
  readonly rule?: string;
  readonly details?: Details;
}

interface Known extends Definition {
  /** Its first choices, as a refusal names them. */
  readonly offered: Readonly<Record<ValueSource, string>>;
  readonly byValue: ReadonlyMap<string, Choice>;
  readonly byLabel: ReadonlyMap<string, Choice>;
}

/** Definitions, found by key and choice: what they make of the values that a change sets. */
export class DefinedAttributes {
  readonly list: readonly Definition[];
  readonly #byKey: ReadonlyMap<string, Known>;

  constructor(list: readonly Definition[]) {
    this.list = list;
    this.#byKey = new Map(
      list.map((definition) => {
        const { choices } = definition;
        const byValue = new Map(choices.map((choice) => [choice.value, choice]));
        const byLabel = new Map(choices.map((choice) => [choice.label, choice]));
        return [definition.key, { ...definition, byValue, byLabel, offered: offeredIn(choices) }];
      }),
    );
  }

  labelOf(key: string): string | undefined {
    return this.#byKey.get(key)?.label;
  }

  /** The definition of a key for a kind of records. */
  of(kind: RecordKind, key: string): Known | undefined {
    const found = this.#byKey.get(key);
    return found !== undefined && isOf(found, kind) ? found : undefined;
  }

  /** The definitions with choices among some keys. */
  withChoices(kind: RecordKind, keys: readonly string[]): Definition[] {
    return this.list.filter((one) => one.kind === 'CHOICE' && isOf(one, kind) && keys.includes(one.key));
  }

  /** The keys that a new record of a kind must have. */
  required(kind: RecordKind): string[] {
    return this.list.flatMap((one) => (one.required && isOf(one, kind) ? [one.key] : []));
  }

  /** The choices that took the place of retired ones, by their values: the first of the successors that is in use. */
  successors(kind: RecordKind, key: string): Record<string, string> {
    const { byValue = new Map<string, Choice>(), choices = [] } = this.of(kind, key) ?? {};
    const found = new Map<string, string | undefined>();
    for (const first of choices) {
      // A chain may have all choices: each is followed once.
      const path: string[] = [];
      let next: Choice | undefined = first;
      while (next?.retired === true && !found.has(next.value)) {
        path.push(next.value);
        next = byValue.get(next.replacedBy ?? '');
      }
      const last = next?.retired === true ? found.get(next.value) : next?.value;
      for (const value of path) found.set(value, last);
    }
    return Object.fromEntries([...found].flatMap(([value, now]) => (now === undefined ? [] : [[value, now]])));
  }

  /** What of the attributes that a change sets is refused, and how the others are stored. */
  judge(kind: RecordKind, given: AttributeChanges, origin: ValueSource): Judged {
    const refusals: Refusal[] = [];
    const retired: Refusal[] = [];
    const attributes = Object.entries(given).map(([key, value]): [string, string | null] => {
      const definition = this.of(kind, key);
      const refused = (rule: string, details: Details = {}): Refusal => ({
        ...{ kind, key, value, rule },
        details: { field: `attributes.${key}`, ...details },
      });
      if (value === null) {
        if (definition?.required === true) refusals.push(refused('REQUIRED_ATTRIBUTE'));
        return [key, value];
      }
      if (isReservedKey(key)) refusals.push(refused('RESERVED_KEY'));
      if (definition === undefined) return [key, value];
      const settled = settle(definition, value, origin);
      if (settled.rule !== undefined) {
        const list = settled.rule === 'RETIRED_CHOICE' && origin === 'file' ? retired : refusals;
        list.push({ ...refused(settled.rule, settled.details), value: settled.value });
      }
      return [key, settled.value];
    });
    return { attributes: Object.fromEntries(attributes), refusals, retired };
  }

  /** What is refused of a new record, with what it lacks. */
  judgeNew(kind: RecordKind, given: AttributeChanges): Judged {
    const lacking = this.required(kind).flatMap((key) => (Object.hasOwn(given, key) ? [] : [[key, null] as const]));
    return this.judge(kind, { ...given, ...Object.fromEntries(lacking) }, 'form');
  }
}

const isOf = ({ ofPrograms, ofBranches }: Definition, kind: RecordKind): boolean =>
  kind === 'Program' ? ofPrograms : ofBranches;

/** So many choices are named where a value is none of them. */
const offeredMax = 5;

function offeredIn(choices: readonly Choice[]): Known['offered'] {
  const active = choices.filter(({ retired }) => !retired);
  const [first, more] = [active.slice(0, offeredMax), active.length > offeredMax ? ', …' : ''];
  const list = (key: 'value' | 'label'): string => first.map((choice) => choice[key]).join(', ') + more;
  return { form: list('value'), file: list('label') };
}

function settle({ kind, byValue, byLabel, offered }: Known, value: string, origin: ValueSource): Settled {
  if (kind === 'TEXT') return { value };
  if (kind !== 'CHOICE') {
    const { canonical, rule } = valueForms[kind];
    const stored = canonical(value);
    return stored === undefined ? { value, rule } : { value: stored };
  }
  const choice = byValue.get(value) ?? (origin === 'file' ? byLabel.get(value) : undefined);
  if (choice === undefined) return { value, rule: 'NOT_A_CHOICE', details: { value, choices: offered[origin] } };
  if (!choice.retired) return { value: choice.value };
  const { replacedBy } = choice;
  return {
    value: choice.value,
    rule: 'RETIRED_CHOICE',
    details: { value: choice.value, ...(replacedBy !== null && { replacedBy }) },
  };
}
