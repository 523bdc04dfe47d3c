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

/** Reads the query of a URL. An unknown or repeated parameter is a problem: a misspelled one would be ignored. */
export function readParameters(
  url: string,
  readers: Readonly<Record<string, ParameterReader>>,
  furtherReader?: (name: string) => ParameterReader | undefined,
): { readonly input: Record<string, unknown>; readonly problems: FieldProblems } {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'));
  const input: [string, unknown][] = [];
  const problems: [string, string[]][] = [];
  for (const name of new Set(parameters.keys())) {
    const [text = '', ...others] = parameters.getAll(name);
    const reader = Object.hasOwn(readers, name) ? readers[name] : furtherReader?.(name);
    const value = others.length === 0 ? reader?.read(text) : undefined;
    if (value !== undefined) input.push([name, value]);
    else
      problems.push([
        name,
        [reader === undefined ? 'There is no such parameter.' : `${name} must be ${reader.form}, once.`],
      ]);
  }
  // fromEntries defines own properties, which is safe for a parameter named `__proto__`.
  return { input: Object.fromEntries(input), problems: Object.fromEntries(problems) };
}

export const wholeNumber: ParameterReader = {
  form: 'a whole number',
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
