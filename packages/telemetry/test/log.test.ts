import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.ts';
import { linesForFile, linesForTerminal } from '../src/readable-line.ts';

describe('the log', () => {
  it('has the type, code, message and stack of an error', () => {
    const error = Object.assign(new TypeError('No such thing.'), { code: 'E_NONE' });
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [] }, { write: (line: string) => lines.push(line) });
    log.error({ err: error }, 'request failed');

    expect(JSON.parse(lines.join('')).err).toEqual({
      type: 'TypeError',
      code: 'E_NONE',
      message: 'No such thing.',
      stack: expect.stringContaining('log.test.ts'),
    });
  });

  it('removes secrets and addresses with a user from errors', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: ['open sesame'] }, { write: (line: string) => lines.push(line) });
    log.error({ err: new Error('open sesame does not open redis://ada:secret@cache/1') }, 'request failed');

    expect(JSON.parse(lines.join('')).err.message).toBe('[address] does not open [address]');
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
