import { readFileSync } from 'node:fs';
import { StartupError } from '@service/errors';

type Environment = Readonly<Record<string, string | undefined>>;

/** A larger file is probably not the secret. */
const maxBytes = 65_536;

/**
 * Sets `NAME` to the content of the file `NAME_FILE`, without one line break at the end, as `echo` adds it.
 * @throws StartupError with one line for each unreadable file and each secret given twice; no line repeats a value.
 */
export function withSecretFiles(env: Environment, names: readonly string[]): Environment {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set: use one of them`);
    else {
      const secret = readSecret(file);
      if (secret.text === undefined) problems.push(`${name}_FILE names a file that cannot be used: ${secret.problem}`);
      else secrets[name] = secret.text;
    }
  }
  if (problems.length > 0) throw new StartupError(problems.join('\n'));
  return { ...env, ...secrets };
}

type Secret = { readonly text: string } | { readonly text?: undefined; readonly problem: string };

function readSecret(file: string): Secret {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text.trim() === '' ? { problem: 'it is empty' } : { text };
  } catch (problem) {
    const code: unknown = problem instanceof Error && Reflect.get(problem, 'code');
    return { problem: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(code) };
  }
}
