/** Values of a message by name. */
export type Details = Readonly<Record<string, string | number>>;

/** What is wrong: for people a message, for software the broken rule and its details, which say it in any language. */
export interface Problem {
  readonly rule: string;
  readonly details: Details;
  readonly message: string;
}

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Details that the text does not name are for software alone. */
type DetailsOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? [details?: Details]
  : [details: Details & Readonly<Record<NamesIn<Text>, string | number>>];

/** A text with its details. */
export const withDetails = (text: string, details: Details): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name]));

/** Returns what makes problems of rules, by their texts, in which `{name}` stands for a detail. */
export function createProblems<Rules extends string, const Texts extends Readonly<Record<Rules, string>>>(
  texts: Texts & Readonly<Record<Rules, string>>,
) {
  return <Rule extends Rules>(rule: Rule, ...[details = {}]: DetailsOf<Texts[Rule]>): Problem => ({
    rule,
    details,
    message: withDetails(texts[rule], details),
  });
}

/** Problems by field name, each a non-empty list; a text alone is for developers. */
export type FieldProblems = Record<string, (string | Problem)[]>;

export const messageOf = (problem: string | Problem): string =>
  typeof problem === 'string' ? problem : problem.message;

/** The messages by field name. */
export const messagesOf = (problems: FieldProblems): Record<string, string[]> =>
  Object.fromEntries(Object.entries(problems).map(([field, list]) => [field, list.map(messageOf)]));

/** The problems with their rules, as an error has them beside its messages; `undefined` without any. */
export function listProblems(problems: FieldProblems = {}): object[] | undefined {
  const listed = Object.entries(problems).flatMap(([field, list]) =>
    list.flatMap((problem) => (typeof problem === 'string' ? [] : [{ field, ...problem }])),
  );
  return listed.length === 0 ? undefined : listed;
}
