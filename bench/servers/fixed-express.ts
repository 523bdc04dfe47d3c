/** The floor: an Express route with a fixed body of 600 bytes. */
import express from 'express';
import { announce } from './announce.ts';

const body = JSON.stringify({ text: 'x'.repeat(589) });
const app = express();
app.get('/', (_request, response) => {
  response.type('json').send(body);
});
announce(app.listen(0, '127.0.0.1'));
