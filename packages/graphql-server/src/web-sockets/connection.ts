import type { Socket } from 'node:net';
import type { ByteBudget } from '@service/http/byte-budget';
import { partBytes } from '@service/http/joined-parts';
import { networkOf } from '@service/http/rate-limit';
import { createTurns } from '@service/http/turns';
import { MessageType, type WebSocket as ProtocolSocket } from 'graphql-ws';
import { WebSocket } from 'ws';

/** Nothing of a connection is handled while its client has more than this to read: `ws` itself has no backpressure. */
const unreadBytesMax = 256_000;
/** A client that reads nothing for so long is disconnected. */
const stalledMs = 10_000;
/** Clients of `graphql-ws` reconnect after it. */
export const tryAgainLater = 1013;

/** Handles one message per turn of the event loop, of each network after the other: an operation may take as long as a turn may. */
const turnFor = createTurns(1);

interface ConnectionOptions {
  readonly socket: WebSocket;
  /** The socket below the WebSocket, as Node handed it over. */
  readonly transport: Socket;
  readonly slowClients: ByteBudget;
  readonly onError: (problem: unknown) => void;
}

export interface ConnectionAtPace extends ProtocolSocket {
  /**
   * Sends a result, the bytes of its JSON in parts, to the operation with this id, and reads no more than it sends.
   * Returns whether the connection is still open.
   */
  readonly sendResult: (id: string, json: AsyncIterable<Buffer>) => Promise<boolean>;
  /** Called for the frame that a client sends back for a ping, and that belongs to no message. */
  readonly onPong: () => void;
}

/** A client masks its frames; a pong has the payload of the ping, which is empty. */
const pongBytes = 6;
/** Memory of a message that waits, beside its text. */
const messageBytes = 1_000;

/** A connection as `graphql-ws` uses one, at the pace of its client. */
export function connectionAtPace({ socket, transport, slowClients, onError }: ConnectionOptions): ConnectionAtPace {
  const cutOff = (): void => {
    socket.close(tryAgainLater, 'Try again later.');
    socket.terminate();
  };
  const unread = slowClients.hold(cutOff);
  const unfinished = slowClients.hold(cutOff);
  let arrived = 0;
  /** Messages that wait for their turns, and their bytes: those that arrived together, since no more are read until then. */
  let waiting = 0;
  let waitingBytes = 0;
  /** The turn of the last one: a connection waits for one at a time, so that none is before those of others. */
  let turn: Promise<void> = Promise.resolve();
  const network = networkOf(transport.remoteAddress ?? '');
  const count = (): void => unfinished.set(arrived + waitingBytes);
  // Runs before `ws` parses the bytes, so that they are counted before the message that they end is handled.
  transport.prependListener('data', ({ length }: Buffer) => {
    arrived += length + partBytes;
    count();
  });
  // A listener for invalid frames, after which `ws` closes the connection.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearTimeout(stalled);
    for (const held of [unread, unfinished]) held.release();
  });

  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  /** Results that are sent or wait for those before them. */
  let results = 0;
  /** Whether the client reads one that is sent in parts: then, too, nothing is handled until it has read it. */
  let isBehind = false;
  /** Not the timeout of the transport, which is twice as long after a write of which a part was read. */
  let stalled: NodeJS.Timeout | undefined;
  const keepPace = (): void => {
    const { bufferedAmount, isPaused } = socket;
    unread.set(bufferedAmount);
    const isUnread = isBehind || bufferedAmount > unreadBytesMax;
    if (isUnread) stalled ??= setTimeout(() => socket.terminate(), stalledMs).unref();
    else {
      clearTimeout(stalled);
      stalled = undefined;
    }
    if ((isUnread || waiting > 0) === isPaused) return;
    if (isPaused) socket.resume();
    else socket.pause();
  };

  const inTurn = async (handle: () => Promise<void>, bytes: number): Promise<void> => {
    waiting += 1;
    waitingBytes += bytes;
    count();
    keepPace();
    turn = turn.then(() => (isOpen() ? turnFor(1, () => network) : undefined));
    await turn;
    waiting -= 1;
    waitingBytes -= bytes;
    count();
    if (socket.readyState !== WebSocket.CLOSED) keepPace();
    if (isOpen()) await handle();
  };

  const sendFrame = (bytes: string | Buffer, fin: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (!isOpen()) {
        resolve();
        return;
      }
      // A failed send closes the connection with all its operations.
      socket.send(bytes, { binary: false, fin }, () => {
        stalled?.refresh();
        keepPace();
        resolve();
      });
      keepPace();
    });

  let last: Promise<void> = Promise.resolve();
  /** The frames of a message follow each other, before those of the next. */
  const afterOthers = (sendMessage: () => Promise<void>): Promise<void> => {
    const sent = last.then(sendMessage);
    last = sent.catch(() => undefined);
    return sent;
  };
  const send = (text: string): Promise<void> =>
    results === 0 ? sendFrame(text, true) : afterOthers(() => sendFrame(text, true));

  const sendParts = async (id: string, json: AsyncIterable<Buffer>): Promise<void> => {
    let held: Buffer = Buffer.from(`{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`);
    let isBegun = false;
    if (!isOpen()) return;
    try {
      for await (const part of json) {
        if (!isOpen()) return;
        // A short result is one frame, with what is before and after it.
        if (isBegun) {
          isBehind = true;
          await sendFrame(held, false);
          held = part;
        } else held = Buffer.concat([held, part]);
        isBegun = true;
      }
    } catch {
      // Its response was cut off, and no other message may follow a part of one.
      socket.close(tryAgainLater, 'Try again later.');
      return;
    }
    await sendFrame(Buffer.concat([held, Buffer.from('}')]), true);
  };

  return {
    protocol: socket.protocol,
    send,
    sendResult: async (id, json) => {
      results += 1;
      try {
        await afterOthers(() => sendParts(id, json));
      } finally {
        results -= 1;
        if (results === 0) isBehind = false;
        if (socket.readyState !== WebSocket.CLOSED) keepPace();
      }
      return isOpen();
    },
    close: (code, reason) => socket.close(code, reason),
    onMessage: (handle) => {
      socket.on('message', (message) => {
        arrived = 0;
        // What a client sends behind a message that closes the connection.
        if (!isOpen()) return;
        const text = message.toString();
        inTurn(() => handle(text), text.length + messageBytes).catch(onError);
      });
    },
    onPong: () => {
      arrived = Math.max(0, arrived - pongBytes - partBytes);
      count();
    },
    // Leaves out the payload, which may be as large as a message.
    onPing: () => send(JSON.stringify({ type: MessageType.Pong })),
  };
}
