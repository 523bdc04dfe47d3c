/**
 * The floor: Node's own server, which sends the same response to every request. `PUT /` sets it, so that it can be the
 * bytes of the service: status, headers in their order, body. Node adds `Date`, `Connection` and `Keep-Alive` to both.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { announce } from './announce.ts';

const schema = z.object({ status: z.number(), headers: z.array(z.string()), body: z.string() });
/** As the service's, since `Keep-Alive` says it. */
const keepAliveTimeout = 65_000;

/** Node writes short text together with the headers; longer text would be encoded at each response. */
const shortMax = 4_096;

let fixed: { status: number; headers: string[]; body: string | Buffer } = { status: 404, headers: [], body: '' };

const server = createServer({ keepAliveTimeout }, (request, response) => {
  if (request.method === 'PUT') {
    void json(request).then((sent) => {
      const { body, ...head } = schema.parse(sent);
      fixed = { ...head, body: body.length > shortMax ? Buffer.from(body) : body };
      response.writeHead(204).end();
    });
    return;
  }
  response.writeHead(fixed.status, fixed.headers).end(fixed.body);
});
announce(server.listen(0, '127.0.0.1'));
