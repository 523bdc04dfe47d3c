import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/installation.ts';
import { builtCommandLine, builtService } from '../support/built.ts';

function run(script: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    // With these, it would fail to start.
    env: { PATH: '/usr/bin:/bin', ENV_FILE: '/nowhere', PORT: 'four' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, out: stdout, err: stderr };
}

describe('the service', () => {
  it.each([['--foo'], ['start'], ['--version', '--foo'], ['']])('rejects the unknown arguments %j', (...words) => {
    const unknown = JSON.stringify(words.at(-1));
    expect(run(builtService, ...words)).toEqual({
      status: 1,
      out: '',
      err: `Unknown argument ${unknown}: the service is configured by environment variables (see --help).\n`,
    });
  });

  it('prints its usage', () => {
    const { status, out, err } = run(builtService, '--help');

    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^Usage: npm start/);
  });

  it('prints its version, as the command line does', () => {
    for (const script of [builtService, builtCommandLine])
      expect(run(script, '--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });
});
