import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compile from 'icu-minify/compile';
import { expect, it } from 'vitest';
import { languages } from './language.ts';

const source = path.join(import.meta.dirname, '..');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/^language|\.test\.ts$|\.generated\.ts$/.test(file))
  .map((file) => readFileSync(path.join(source, file), 'utf8'))
  .join('\n');

/** The arguments and tags of a compiled message: each is the first of a list, before its kind and its parts. */
function argumentsIn(part: unknown): string[] {
  if (!Array.isArray(part)) return [];
  const [name, ...parts] = part;
  const inner = parts.flatMap((one) =>
    typeof one === 'object' && one !== null ? Object.values(one).flatMap(messageArguments) : [],
  );
  return typeof name === 'string' ? [name, ...inner] : inner;
}
const messageArguments = (message: unknown): string[] => (Array.isArray(message) ? message.flatMap(argumentsIn) : []);

const loaded = await Promise.all(
  Object.entries(languages).map(async ([language, { load }]) => {
    const { messages } = await load();
    const texts = Object.entries(messages).flatMap(([section, entries]) =>
      Object.entries(entries).map(([name, text]) => [`${section}.${name}`, text] as const),
    );
    return { language, texts: new Map(texts) };
  }),
);
const [english = { texts: new Map<string, string>() }, ...others] = loaded;

it.each(others)('the catalog $language has the messages of the English one, with their arguments', ({ texts }) => {
  const shape = (catalog: ReadonlyMap<string, string>) =>
    Array.from(catalog, ([key, text]) => `${key}: ${[...new Set(messageArguments(compile(text)))].sort().join()}`);
  expect(shape(texts)).toEqual(shape(english.texts));
});

const schema = readFileSync(path.join(source, '../../schema.graphql'), 'utf8');
const [, enumValues = ''] = /^enum ProblemRule \{(.*?)^\}/ms.exec(schema) ?? [];
/** The texts of the rules of the service, with the names of their details. */
const ruleTexts = new Map(
  Array.from(enumValues.matchAll(/"""(.*?)"""\s+(\w+)/gs), ([, text = '', rule = '']) => [rule, text]),
);
/** What messages of the service say in words of their own. */
const furtherDetails = ['kind', 'line', 'columns', 'by'];

it.each(loaded)('the catalog $language has a message for each rule of the service, with its details', ({ texts }) => {
  const section = [...texts].flatMap(([key, text]) => (key.startsWith('problem.') ? [[key.slice(8), text]] : []));
  expect(section.map(([rule]) => rule).sort()).toEqual([...ruleTexts.keys()].sort());
  for (const [rule = '', text = ''] of section) {
    const details = Array.from((ruleTexts.get(rule) ?? '').matchAll(/\{(\w+)\}/g), ([, name]) => name);
    expect([...details, ...furtherDetails], rule).toEqual(expect.arrayContaining(messageArguments(compile(text))));
  }
});

it('French has no ordinary space before its marks, which could begin a line', () => {
  const french = loaded.find(({ language }) => language === 'fr')?.texts ?? new Map<string, string>();
  expect([...french.values()].filter((text) => / [:;!?»]|« /.test(text))).toEqual([]);
});

it('each message is shown somewhere', () => {
  // A section whose messages are found by what they are about: t(`role.${role}`).
  const whole = new Set(Array.from(code.matchAll(/`(\w+)\.\$\{/g), ([, section]) => section));
  const isShown = (key: string): boolean => code.includes(`'${key}'`) || whole.has(key.split('.')[0]);
  expect([...english.texts.keys()].filter((key) => !isShown(key))).toEqual([]);
});

/** Names of keys and products, kinds of records for software, and the example of a file. */
const isNoText = (text: string): boolean =>
  /^(?:(?:Shift|Ctrl) .|(?:Shift|Control|Alt|Meta|Enter|Escape|Tab|Home|End|Delete|Backspace|Slash|Excel|Macintosh)$|(?:Program|Branch) \$|Bachelor of|.* Engineering|Computer)/.test(
    text,
  );

it('no text is anywhere else: what begins as a sentence is a message, an error for developers or a name', () => {
  const shown = code.replace(/\/\*[\s\S]*?\*\/|\/\/ .*$|new Error\(.*\)/gm, '');
  const sentence = /(["'`>])([A-Z][a-z]+(?:[ \u2026.:!?,][^"'`<]*)?)(?=["'`<])/g;
  const texts = Array.from(shown.matchAll(sentence), ([, , text = '']) => text);
  expect(texts.filter((text) => !isNoText(text))).toEqual([]);
});
