import { createLog } from '@service/telemetry/log';
import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../src/database/open-postgres.ts';
import { expectNotBlocked } from '../support/event-loop.ts';

function logged(error: Error, url = 'postgresql://ada:p%40ssword@db.example.org:5433/x', directUrl?: string): string {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLog(
    { level: 'info', ...secretsOf({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }) },
    { write },
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
    const line = logged(
      new Error('p@ssword does not fit db.example.org'),
      'postgresql://localhost/x?host=db.example.org&password=p%40ssword',
    );

    expect(line).toContain('[address] does not fit [address]');
  });

  it('redacts the address without a pooler', () => {
    const line = logged(
      new Error('getaddrinfo ENOTFOUND direct.example.org'),
      undefined,
      'postgresql://direct.example.org/x',
    );

    expect(line).toContain('getaddrinfo ENOTFOUND [address]');
  });

  it('redacts each host of a list', () => {
    const line = logged(
      new Error('neither one.example.org nor two.example.org'),
      'postgresql://localhost/x?host=one.example.org,two.example.org&port=1,2',
    );

    expect(line).toContain('neither [address] nor [address]');
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
});
