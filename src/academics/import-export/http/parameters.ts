import type { FieldProblems } from '@service/errors/problems';

/** Reads a parameter from text; `undefined` if it is invalid. */
export interface ParameterReader {
  readonly form: string;
  readonly read: (text: string) => unknown;
}

export const textParameter: ParameterReader = { form: 'text', read: (text) => text };
export const booleanParameter: ParameterReader = {
  form: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

/** Unknown parameters that an error names; the last of them says how many there are beside. */
const unknownMax = 20;

/** Reads the query of a URL. An unknown or repeated parameter is a problem: a misspelled one would be ignored. */
export function readParameters(
  url: string,
  readers: Readonly<Record<string, ParameterReader>>,
  furtherReader?: (name: string) => ParameterReader | undefined,
): { readonly input: Record<string, unknown>; readonly problems: FieldProblems } {
  const given = new Map<string, string[]>();
  for (const [name, text] of new URLSearchParams(url.split('?').slice(1).join('?'))) {
    const texts = given.get(name);
    if (texts === undefined) given.set(name, [text]);
    else texts.push(text);
  }
  const input: [string, unknown][] = [];
  const problems: [string, string[]][] = [];
  const unknown: string[] = [];
  for (const [name, [text = '', ...others]] of given) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : furtherReader?.(name);
    if (reader === undefined) {
      unknown.push(name);
      continue;
    }
    const value = others.length === 0 ? reader.read(text) : undefined;
    if (value === undefined) problems.push([name, [`${name} must be ${reader.form}, once.`]]);
    else input.push([name, value]);
  }
  const further = unknown.length - unknownMax;
  for (const [place, name] of unknown.slice(0, unknownMax).entries()) {
    const others = further > 0 && place === unknownMax - 1 ? `, nor are there ${further} others that are given` : '';
    problems.push([name, [`There is no such parameter${others}.`]]);
  }
  // fromEntries defines own properties, which is safe for a parameter named `__proto__`.
  return { input: Object.fromEntries(input), problems: Object.fromEntries(problems) };
}

export const wholeNumber: ParameterReader = {
  form: 'a whole number',
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
