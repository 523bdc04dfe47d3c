import { describe, expect, it } from 'vitest';
import { formatNames } from '../../src/academics/import-export/export/formats.ts';
import { messageFor } from '../../src/cli/errors.ts';
import { roles } from '../../src/validation/permissions.ts';
import { runCommand } from './run-command.ts';

/** Nothing listens there: usage errors must not need the database. */
const nowhere = 'postgresql://nobody@127.0.0.1:1/nothing';

describe('a usage error', () => {
  it.each([
    [['users', 'add', 'vera'], "error: required option '--role <role>' not specified"],
    [['users', 'add', 'vera', '--role', 'king'], `Allowed choices are ${roles.join(', ')}.`],
    [['users', 'add', ' ', '--role', 'guest'], "for argument 'name'. The name must not be blank."],
    [['users', 'role', 'vera'], "error: missing required argument 'role'"],
    [['users', 'list', 'all'], 'error: too many arguments'],
    [['users', 'nonsense'], "error: unknown command 'nonsense'"],
    [['users'], 'Usage: npm run cli -- users'],
    [['users', 'list', '--nonsense'], "error: unknown option '--nonsense'"],

    [['keys', 'create', '--role', 'viewer'], "required option '--user <name>' not specified"],
    [
      ['keys', 'create', '--user', 'vera', '--expires', '90'],
      'The lifetime of a key must be a number and s, m, h or d',
    ],
    [['keys', 'create', '--user', 'vera', '--expires', '0s'], 'such as 90d, at least 1s and at most 36525d, or never.'],
    [['keys', 'rotate', '1', '--overlap', 'soon'], 'A duration must be a number and s, m, h or d'],
    [['keys', 'revoke'], "missing required argument 'id'"],
    [['keys', 'revoke', 'vera'], 'An id must be a whole number'],
    [['keys', 'revoke', '2147483648'], 'An id must be a whole number'],

    [[], 'Usage: npm run cli --'],
    [['nonsense'], "error: unknown command 'nonsense'"],
    [['user', 'list'], 'Did you mean users?'],
    [['import'], "error: missing required argument 'file'"],
    [['import', 'a.csv', 'b.csv'], 'error: too many arguments'],
    [['import', 'a.csv', '--delimiter', ';'], 'Allowed choices are comma, semicolon, tab, bar.'],
    [['import', 'a.csv', '--map', 'Name'], 'Expected NAME=COLUMN, where COLUMN is one of program_id, program_code,'],
    [['import', 'a.csv', '--map', 'Name=title'], 'Expected NAME=COLUMN'],
    [['import', 'a.csv', '--rejected', './a.csv'], 'error: --rejected would overwrite the file to import'],
    [['audit', 'prune'], "error: required option '--before <day>' not specified"],
    [['audit', 'prune', '--before', '2016-02-30'], 'A day must be as in 2016-01-31, and not in the future.'],
    [['audit', 'prune', '--before', '9999-01-01'], 'A day must be as in 2016-01-31, and not in the future.'],
    [['changes', '--since', 'yesterday'], 'A time must be a day or a time with its zone'],
    [['changes', '--action', 'revoke'], 'Allowed choices are create, update, delete, restore, import, undo.'],
    [['changes', '--csv', '--json'], 'error: --json and --csv contradict each other'],
    [['export', '--format', 'xml'], `Allowed choices are ${formatNames.join(', ')}.`],
    [['export', '--json', '--escape-formulas'], 'error: --escape-formulas requires CSV'],
    [['export', '--format', 'xlsx', '--json'], 'error: --json and --format xlsx contradict each other'],
    [['export', '--format', 'csv', '--json'], 'error: --json and --format csv contradict each other'],
  ])('of %j is printed on standard error, with exit code 2', async (words, sentence) => {
    const { exitCode, out, err } = await runCommand(nowhere, words);

    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(sentence);
  });
});

describe('--help', () => {
  it.each([
    ...[[[]], [['users']], [['users', 'add']], [['keys']], [['keys', 'rotate']], [['changes']], [['notes']]],
    ...[[['audit', 'prune']], [['import']], [['export']], [['migrate']]],
  ])('of %j is printed on standard output and mentions --json', async (words) => {
    const { exitCode, out, err } = await runCommand(nowhere, [...words, '--help'], { env: { PORT: 'unusable' } });

    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toContain(`Usage: ${['npm run cli --', ...words].join(' ')}`);
    expect(out).toContain('--json');
  });
});

describe('import --help', () => {
  it('lists the columns and the exit codes', async () => {
    const { out } = await runCommand(nowhere, ['import', '--help']);

    expect(out).toMatch(/Columns: program_id, .*, program_attr:KEY, branch_attr:KEY\.\n/);
    expect(out.match(/^ {2}[0-3] {2}/gm)).toHaveLength(4);
  });
});

describe('a failure of every command', () => {
  it('is one line for each invalid variable', async () => {
    expect(await runCommand(nowhere, ['users', 'list'], { env: { PORT: 'four', LOG_LEVEL: 'loud' } })).toEqual({
      exitCode: 1,
      out: '',
      err:
        'PORT must be a whole number from 0 to 65535\n' +
        'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace\n',
    });
  });

  it('is one line for an unreachable database, without its URL', async () => {
    const { exitCode, out, err } = await runCommand(nowhere, ['users', 'list']);

    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatch(/^The database cannot be reached: [^\n]+\n$/);
    expect(err).not.toContain('postgresql://');
  });
});

it('a command that lost its connection says so, with the reason', () => {
  const problem = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

  expect(messageFor(problem)).toBe(
    'The database cannot be reached, or does not respond in time (write EPIPE). Please try again.',
  );
});
