import { setImmediate as nextPhase } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openPipelinedPool, openPool, queryTimeoutMs } from '../src/pool.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

/** As SIGSTOP does, or a virtual machine that is moved to another host: nothing runs, but the kernel receives. */
function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a process that is stopped for longer than a statement may take', () => {
  it('reads the responses that have arrived before it counts its timeouts', async () => {
    const pool = openPool(database.url);
    const pipelinedPool = openPipelinedPool(database.url);
    const statement = { name: 'slow', text: 'SELECT pg_sleep(0.3), $1::int AS n', values: [7] };
    await pipelinedPool.prewarm();
    const client = await pool.connect();
    const answered = Promise.all([client.query(statement), pipelinedPool.query(statement)]);
    // Both are written then, and not answered yet.
    await nextPhase();

    stopProcess(queryTimeoutMs + 100);

    expect(await answered).toMatchObject([{ rows: [{ n: 7 }] }, { rows: [{ n: 7 }] }]);
    client.release();
    await Promise.all([pool.end(), pipelinedPool.close()]);
  });
});
