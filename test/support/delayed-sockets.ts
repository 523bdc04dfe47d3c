import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

// What sockets receive arrives late, at random: from PostgreSQL, and at clients. A test that only passes while an answer
// is faster than what it looks at next fails then. `npm run test:races` runs all tests so.

const often = { share: 0.15, upToMs: 20 };
const rarely = { share: 0.03, upToMs: 250 };

function delayMs(): number {
  const draw = Math.random();
  if (draw < rarely.share) return rarely.upToMs * Math.random();
  return draw < rarely.share + often.share ? often.upToMs * Math.random() : 0;
}

type Chunk = Parameters<Socket['push']>[0];

function delayChunks(push: Socket['push']): Socket['push'] {
  /** What has arrived behind a chunk that is late. */
  const late = new WeakMap<Socket, Chunk[]>();
  return function (this: Socket, chunk: Chunk, encoding?: BufferEncoding): boolean {
    if (this instanceof TLSSocket) return push.call(this, chunk, encoding);
    const behind = late.get(this);
    if (behind !== undefined) {
      behind.push(chunk);
      return true;
    }
    const ms = delayMs();
    if (ms === 0) return push.call(this, chunk, encoding);
    const chunks: Chunk[] = [chunk];
    late.set(this, chunks);
    setTimeout(() => {
      late.delete(this);
      for (const next of chunks) {
        if (this.destroyed) return;
        push.call(this, next);
        // As Node does at the end, which nobody may be reading for.
        if (next === null) this.read(0);
      }
    }, ms);
    return true;
  };
}

// Once for all files of a worker.
if (!Object.hasOwn(Socket.prototype, 'push')) Socket.prototype.push = delayChunks(Socket.prototype.push);
