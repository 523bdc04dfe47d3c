import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/operations/log.ts';

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
  ])('has nothing of an address or a password: %s', (message) => {
    const line = logged(new Error(message, { cause: new Error(message) }));

    for (const secret of ['127.0.0.1', 'db.example.org', 'p%40ssword', 'p@ssword', 'secret', '5433']) {
      expect(line).not.toContain(secret);
    }
  });

  it('has the type, the code, the message and the stack of what failed', () => {
    const error = Object.assign(new TypeError('No such thing.'), { code: 'E_NONE' });
    expect(JSON.parse(logged(error)).err).toEqual({
      type: 'TypeError',
      code: 'E_NONE',
      message: 'No such thing.',
      stack: expect.stringContaining('log.test.ts'),
    });
  });
});
