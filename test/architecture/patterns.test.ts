import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..');

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The text of an expression; the letter x for a part that only a running program knows. */
function textOf(node: ESTree.Expression | undefined, constants: ReadonlyMap<string, ESTree.Expression>): string {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier' && constants.has(node.name)) return textOf(constants.get(node.name), constants);
  const isRaw = node?.type === 'TaggedTemplateExpression';
  const template = isRaw ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return 'x';
  return template.quasis
    .map(({ value }) => (isRaw ? value.raw : (value.cooked ?? '')))
    .reduce((text, quasi, at) => text + textOf(template.expressions[at - 1], constants) + quasi);
}

/** The patterns of a module: its literals, and what it gives to `RegExp`. */
function patternsIn(file: string, text: string): readonly Pattern[] {
  const constants = new Map<string, ESTree.Expression>();
  const given: ESTree.Argument[][] = [];
  const patterns: Pattern[] = [];
  const onCall = ({ callee, arguments: all }: Pick<ESTree.NewExpression, 'callee' | 'arguments'>): void => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') given.push(all);
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) patterns.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init);
    },
    NewExpression: onCall,
    CallExpression: onCall,
  }).visit(parseSync(file, text).program);
  for (const [source, flags] of given) {
    if (source === undefined || source.type === 'SpreadElement' || flags?.type === 'SpreadElement') continue;
    patterns.push({ source: textOf(source, constants), flags: flags === undefined ? '' : textOf(flags, constants) });
  }
  return patterns;
}

/**
 * Patterns that begin within a repetition, without a word before it that it matches too: to repeat that word, such as the
 * `eyJ` of `eyJ\w+\.`, takes what it takes to repeat one character of the rest.
 */
function restsOf({ source, flags }: Pattern): readonly Pattern[] {
  return analyse({ source, flags }).parsed.pattern.alternatives.flatMap(({ elements }) => {
    const at = elements.findIndex(({ type }) => type !== 'Character');
    const repeated = elements[at];
    if (at < 1 || repeated?.type !== 'Quantifier') return [];
    const one = new RegExp(`^(?:${repeated.element.raw})$`, flags.replace(/[gy]/g, ''));
    const isWithin = elements.slice(0, at).every(({ raw }) => one.test(raw));
    return isWithin
      ? [
          {
            source: elements
              .slice(at)
              .map(({ raw }) => raw)
              .join(''),
            flags,
          },
        ]
      : [];
  });
}

/** Why a pattern may take more than linear time; empty when it does not. */
const faultsOf = (pattern: Pattern): readonly string[] =>
  [pattern, ...restsOf(pattern)].flatMap((one) =>
    analyse(one).reports.map(({ type, character }) => `${type} by ${character.pick}`),
  );

it.each([
  ['a run that is tried again from each of its characters', '\\d+$', ''],
  ['the same, of a word', 'eyJ[\\w-]+\\.[\\w-]+\\.', 'g'],
  ['a look back over a run', '(?<=F[a-z]*)[a-z]', 'gv'],
  ['a look ahead over a run', '([;\\n])(?=[;\\s]*=)', 'g'],
  ['two repetitions of the same', '^\\d+\\.?\\d*$', ''],
  ['a repetition of a repetition', '^(?:a+)+$', ''],
])('knows a pattern of more than linear time: %s', (_, source, flags) => {
  expect(faultsOf({ source, flags })).not.toEqual([]);
});

it('knows the parts of a pattern that is made of texts', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module.
  const text = 'const digits = String.raw`\\d+`; const end = "$"; new RegExp(`^a${digits}${name}${end}`, "u");';

  expect(patternsIn('a.ts', text)).toEqual([{ source: '^a\\d+x$', flags: 'u' }]);
});

it('no pattern takes more than linear time in the length of its text', () => {
  const files = ['src', 'packages', 'console', 'site', 'licenses', '.ci', 'bench', '.']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\.(?:[jt]sx?|mjs)$/.test(file))
    .filter((file) => !/(?:^|\/)(?:node_modules|dist|generated|test)\/|\.(?:test|generated)\.tsx?$/.test(file));

  const found = files.flatMap((file) =>
    patternsIn(file, readFileSync(path.join(root, file), 'utf8')).flatMap((pattern) =>
      faultsOf(pattern).map((fault) => `${file}: /${pattern.source}/${pattern.flags}: ${fault}`),
    ),
  );

  expect(found).toEqual([]);
});
