/** The lowest floor: Node's own server with a fixed body of 600 bytes. */
import { createServer } from 'node:http';
import { announce } from './announce.ts';

const body = JSON.stringify({ text: 'x'.repeat(589) });
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
});
announce(server.listen(0, '127.0.0.1'));
