import { createLog } from '@service/telemetry/log';
import { linesForFile, linesForTerminal } from '@service/telemetry/readable-line';
import { describe, expect, it } from 'vitest';
import { expectNotBlocked } from '../support/event-loop.ts';

function logged(error: Error): string {
  const lines: string[] = [];
  const log = createLog(
    { LOG_LEVEL: 'info', DATABASE_URL: 'postgresql://ada:p%40ssword@db.example.org:5433/x' },
    { write: (line: string) => lines.push(line) },
  );
  log.error({ err: error }, 'request failed');
  return lines.join('');
}

describe('the log', () => {
  it.each([
    'connect ECONNREFUSED 127.0.0.1:5433',
    "Can't reach database server at db.example.org:5433",
    'postgresql://ada:p%40ssword@db.example.org:5433/x is no good',
    'mysql://other:secret@elsewhere/y is no good',
    'the password p@ssword is wrong',
  ])('redacts database addresses and passwords: %s', (message) => {
    // The error alone: the time of the line is a number, too, in which any port may occur.
    const { err } = JSON.parse(logged(new Error(message, { cause: new Error(message) })));

    for (const secret of ['127.0.0.1', 'db.example.org', 'p%40ssword', 'p@ssword', 'secret', '5433']) {
      expect(JSON.stringify(err)).not.toContain(secret);
    }
  });

  it('redacts a host and a password that are parameters of the address', () => {
    const lines: string[] = [];
    const DATABASE_URL = 'postgresql://localhost/x?host=db.example.org&password=p%40ssword';
    const log = createLog({ LOG_LEVEL: 'info', DATABASE_URL }, { write: (line: string) => lines.push(line) });

    log.error({ err: new Error('p@ssword does not fit db.example.org') }, 'request failed');

    expect(lines.join('')).toContain('[address] does not fit [address]');
  });

  it('redacts each host of a list', () => {
    const lines: string[] = [];
    const DATABASE_URL = 'postgresql://localhost/x?host=one.example.org,two.example.org&port=1,2';
    const log = createLog({ LOG_LEVEL: 'info', DATABASE_URL }, { write: (line: string) => lines.push(line) });

    log.error({ err: new Error('neither one.example.org nor two.example.org') }, 'request failed');

    expect(lines.join('')).toContain('neither [address] nor [address]');
  });

  it.each([
    ['before a long text', `postgresql://ada:p%40ssword@db.example.org:5433/x ${'x'.repeat(100_000)}`],
    ['across the position where a message is truncated', `${'x '.repeat(985)}mysql://other:secret@${'y'.repeat(100)}`],
    ['in one long word', `${'1'.repeat(1_000)}mysql://other:secret@y${'1'.repeat(100_000)}`],
    ['in each of many lines', 'mysql://other:secret@y\n'.repeat(4_000)],
  ])('redacts a database URL %s', (_where, message) => {
    const line = logged(new Error(message));

    for (const secret of ['db.example.org', 'p%40ssword', 'secret']) expect(line).not.toContain(secret);
  });

  it.each([
    ['digits', '1'.repeat(100_000)],
    ['letters', 'a'.repeat(100_000)],
    ['schemes', 'a://'.repeat(25_000)],
    ['a URL without an end', `a://${'@'.repeat(100_000)}`],
    ['numbers with dots', '1.1.1.1:'.repeat(12_500)],
    ['lines', '\n'.repeat(100_000)],
    ['lines of digits', `${'1'.repeat(2_000)}\n`.repeat(50)],
  ])(
    'stays below 450,000 characters and does not block the event loop for a message of 100,000 characters: %s',
    async (_what, message) => {
      let line = '';
      await expectNotBlocked(500, async () => {
        line = logged(new Error(message));
      });

      expect(line.length).toBeLessThan(450_000);
      expect(line).toContain('\\n    at ');
    },
  );

  it('has the type, code, message and stack of an error', () => {
    const error = Object.assign(new TypeError('No such thing.'), { code: 'E_NONE' });
    expect(JSON.parse(logged(error)).err).toEqual({
      type: 'TypeError',
      code: 'E_NONE',
      message: 'No such thing.',
      stack: expect.stringContaining('log.test.ts'),
    });
  });
});

/** Sequences that move the cursor, in one and in two characters, a line, and text from right to left. */
const hostile = '\u001b[2J \u009b2J \r\n20:31:06 forged \u202e\u2028 \u007f';

describe('on a terminal, the log', () => {
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
