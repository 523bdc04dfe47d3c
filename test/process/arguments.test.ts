import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { replyTo } from '../../src/arguments.ts';
import { version } from '../../src/installation.ts';
import { builtCommandLine, builtService } from '../support/files.ts';

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
    expect(replyTo(words)).toEqual({
      exitCode: 1,
      text: `Unknown argument ${unknown}: the service is configured by environment variables (see --help).\n`,
    });
  });

  it('prints what is wrong with its arguments on standard error, and its usage on standard output', () => {
    expect(run(builtService, 'start')).toEqual({ status: 1, out: '', err: replyTo(['start'])?.text });
    expect(run(builtService, '--help')).toEqual({
      status: 0,
      out: expect.stringMatching(/^Usage: npm start/),
      err: '',
    });
  });

  it('has the version that the command line prints', () => {
    expect(replyTo(['--version'])).toEqual({ exitCode: 0, text: `${version}\n` });
    expect(run(builtCommandLine, '--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });
});
