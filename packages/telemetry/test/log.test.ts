import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../src/log.ts';
import { linesForFile, linesForTerminal } from '../src/readable-line.ts';
import { expectNotBlocked } from './event-loop.ts';

const address = 'postgresql://ada:p%40ssword@db.example.org:5433/x';

/** The error of a line, in JSON: the time of the line is a number, too, in which any port may occur. */
function logged(error: Error, secrets: readonly string[] = [address, 'p%40ssword', 'p@ssword', 'db.example.org']) {
  const lines: string[] = [];
  createLog({ level: 'info', secrets }, { write: (line: string) => lines.push(line) }).error({ err: error }, 'failed');
  return JSON.stringify(JSON.parse(lines.join('')).err);
}

describe('the log', () => {
  it('has the type, code, message and stack of an error', () => {
    const error = Object.assign(new TypeError('No such thing.'), { code: 'E_NONE' });
    expect(JSON.parse(logged(error))).toEqual({
      type: 'TypeError',
      code: 'E_NONE',
      message: 'No such thing.',
      stack: expect.stringContaining('log.test.ts'),
    });
  });

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:5433', 'connect ECONNREFUSED [address]'],
    ["Can't reach database server at db.example.org:5433", "Can't reach database server at [address]"],
    [`${address} is no good`, '[address] is no good'],
    ['mysql://other:secret@elsewhere/y is no good', '[address] is no good'],
    ['the password p@ssword is wrong', 'the password [address] is wrong'],
  ])('has no address and no password: %s', (message, shown) => {
    const error = logged(new Error(message, { cause: new Error(message) }));
    expect(JSON.parse(error).message).toBe(`${shown}: ${shown}`);
    for (const secret of ['db.example.org', 'p%40ssword', 'p@ssword', 'secret', '5433'])
      expect(error).not.toContain(secret);
  });

  it('has no rest of a secret that begins as another one', () => {
    const error = logged(new Error('hunter22 is wrong'), ['hunter2', 'hunter22']);
    expect(JSON.parse(error).message).toBe('[address] is wrong');
  });

  it.each([
    ['before a long text', `${address} ${'x'.repeat(100_000)}`],
    ['across the position where a message is truncated', `${'x '.repeat(985)}mysql://other:secret@${'y'.repeat(100)}`],
    ['in one long word', `${'1'.repeat(1_000)}mysql://other:secret@y${'1'.repeat(100_000)}`],
    ['in each of many lines', 'mysql://other:secret@y\n'.repeat(4_000)],
  ])('has no address %s', (_where, message) => {
    const error = logged(new Error(message), []);
    for (const secret of ['db.example.org', 'p%40ssword', 'secret']) expect(error).not.toContain(secret);
  });

  it.each([
    ['digits', '1'.repeat(100_000)],
    ['letters', 'a'.repeat(100_000)],
    ['schemes', 'a://'.repeat(25_000)],
    ['a URL without an end', `a://${'@'.repeat(100_000)}`],
    ['numbers with dots', '1.1.1.1:'.repeat(12_500)],
    ['lines', '\n'.repeat(100_000)],
    ['lines of digits', `${'1'.repeat(2_000)}\n`.repeat(50)],
  ])('is brief, and blocks no event loop, for a message of 100,000 characters: %s', async (_what, message) => {
    let error = '';
    await expectNotBlocked(500, async () => {
      error = logged(new Error(message));
    });
    const { message: shown, stack } = JSON.parse(error);
    for (const lines of [shown.split('\n'), stack.split('\n')]) {
      expect(lines.length).toBeLessThanOrEqual(101);
      for (const line of lines) expect(line.length).toBeLessThan(2_100);
    }
    expect(error).toContain('\\n    at ');
  });
});

/** What a terminal shows of an entry of the log. */
async function onTerminal(entry: object): Promise<string> {
  const lines: string[] = [];
  (await linesForTerminal({ write: (line: string) => lines.push(line) })).write(JSON.stringify(entry));
  return lines.join('');
}

/** Sequences that move the cursor, in one and in two characters, a line, and text from right to left. */
const hostile = '\u001b[2J \u009b2J \r\n20:31:06 forged \u202e\u2028 \u007f';

describe('on a terminal, the log', () => {
  it('has a short line for each request', async () => {
    const line = { level: 30, time: Date.parse('2026-01-02T20:31:06'), requestId: 'f64972b7-3f0f', method: 'POST' };
    const request = {
      ...line,
      path: '/graphql',
      operation: 'createOrder',
      status: 201,
      durationMs: 143,
      user: 'ada',
    };

    expect(await onTerminal({ ...request, keyId: 1, msg: 'request' })).toBe(
      '20:31:06 POST /graphql createOrder 201 143 ms ada f64972b7\n',
    );
  });

  it.each([
    [
      'of a request',
      {
        msg: 'request',
        requestId: 'one',
        method: 'GET',
        status: 200,
        durationMs: 1,
        path: hostile,
        operation: hostile,
        user: hostile,
      },
    ],
    ['of an import', { msg: 'imported', file: hostile }],
    ['of a message', { msg: hostile }],
  ])('has one line without control characters, whatever clients have written: %s', async (_what, fields) => {
    const lines: string[] = [];
    const terminal = await linesForTerminal({ write: (line) => lines.push(line) });
    terminal.write(JSON.stringify({ level: 30, time: 0, ...fields }));

    expect(lines.join('')).toMatch(/^[^\p{Cc}\p{Zl}\p{Bidi_C}]+\n$/u);
    expect(lines.join('')).toContain('\\u001b[2J \\u009b2J \\u000d\\n20:31:06 forged \\u202e\\u2028 \\u007f');
  });

  it('indents what follows the first line of an error', async () => {
    const lines: string[] = [];
    const terminal = await linesForTerminal({ write: (line) => lines.push(line) });
    const stack = `Error: ${hostile}\n    at main`;
    terminal.write(
      JSON.stringify({ level: 50, time: 0, msg: 'request failed', err: { type: 'Error', message: hostile, stack } }),
    );

    const [, ...rest] = lines.join('').trimEnd().split('\n');
    expect(rest.length).toBeGreaterThan(0);
    for (const line of rest) expect(line).toMatch(/^ [^\p{Cc}\p{Zl}\p{Bidi_C}]+$/u);
  });
});

describe('in a file, the log', () => {
  it('escapes what JSON does not, so that it can be shown on a terminal, and means the same', () => {
    const lines: string[] = [];
    linesForFile({ write: (line) => lines.push(line) }).write(`${JSON.stringify({ path: hostile })}\n`);

    expect(lines.join('')).toMatch(/^[^\p{Cc}\p{Zl}\p{Bidi_C}]+\n$/u);
    expect(JSON.parse(lines.join(''))).toEqual({ path: hostile });
  });
});

describe('a flood of refusals', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const flooded = () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [] }, { write: (line: string) => void lines.push(line) });
    const written = () =>
      lines.splice(0).map((line) => ({ ...JSON.parse(line), time: undefined, requestId: undefined }));
    return { log, written };
  };

  it('has ten lines a second of each warning and reason, and then one with the number of the others', () => {
    const { log, written } = flooded();
    const refuse = (reason: string, count: number) => {
      for (let index = 0; index < count; index += 1) log.child({ requestId: index }).warn({ reason }, 'refused');
    };
    refuse('busy', 500);
    refuse('away', 3);
    const line = (reason: string) => ({ level: 40, reason, msg: 'refused' });
    const ten = Array.from({ length: 10 }, () => line('busy'));
    expect(written()).toEqual([...ten, line('away'), line('away'), line('away')]);
    vi.advanceTimersByTime(1_000);
    expect(written()).toEqual([{ ...line('busy'), omitted: 490 }]);
    refuse('busy', 1);
    expect(written()).toEqual([line('busy')]);
  });

  it('has as many of requests with a 503, and all of others', () => {
    const { log, written } = flooded();
    for (const status of [503, 500, 201]) {
      for (let index = 0; index < 100; index += 1) log.info({ status }, 'request');
    }
    const lines = written();
    const counted = [503, 500, 201].map((status) => lines.filter((line) => line.status === status).length);
    expect(counted).toEqual([10, 100, 100]);
    vi.advanceTimersByTime(1_000);
    expect(written()).toEqual([{ level: 30, omitted: 90, msg: 'request' }]);
  });
});
