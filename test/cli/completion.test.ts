import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const run = promisify(execFile);

const scriptFor = async (shell: string, ...options: string[]): Promise<string> => {
  const { exitCode, out, err } = await runCommand('', ['completion', shell, ...options]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
};

describe('completion bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptFor('bash', '--name', 'uas');
  });

  /** What bash offers at the end of a line. */
  async function offered(...words: string[]): Promise<string[]> {
    const line = ['uas', ...words];
    const call = `${script}
      COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
      _uas; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-c', call]);
    return stdout.split('\n').filter((word) => word !== '');
  }

  it('offers commands, their commands and options, and the choices of both', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['users', 'keys', 'import', 'check', 'completion']));
    expect(await offered('k')).toEqual(['keys']);
    expect(await offered('keys', 'r')).toEqual(['rotate', 'revoke']);
    expect(await offered('--json', 'users', 'role', 'ada', 'e')).toEqual(['editor']);
    expect(await offered('import', 'a.csv', '--d')).toEqual(['--dry-run', '--delimiter']);
    expect(await offered('export', '--format', 'j')).toEqual(['json']);
  });

  it('leaves files to the shell', async () => {
    expect(await offered('import', 'cat')).toEqual([]);
    expect(script).toContain('complete -o default -F _uas uas\n');
  });
});

it.each(['zsh', 'fish'])('completion %s has the same words, for the installed program', async (shell) => {
  const script = await scriptFor(shell);
  expect(script).toContain('academic-structure-service-cli');
  expect(script).toMatch(/"keys".*create rotate/);
  expect(script).toMatch(/"import".*--skip-invalid/);
});

it('completion rejects another shell, and a name that is not one', async () => {
  expect((await runCommand('', ['completion', 'tcsh'])).exitCode).toBe(2);
  expect((await runCommand('', ['completion', 'bash', '--name', 'a; b'])).exitCode).toBe(2);
});
