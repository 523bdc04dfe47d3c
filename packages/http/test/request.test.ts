import express from 'express';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { decodablePath } from '../src/requests/request.ts';

it.each([
  ['/a/%zz?page=2&q=%zz', '/a/%25zz?page=2&q=%zz'],
  ['/a/%zz', '/a/%25zz'],
  ['/a/%41?q=1', '/a/%41?q=1'],
])('escapes what cannot be decoded in a path, and keeps its query: %s', async (sent, read) => {
  const app = express().use(decodablePath, (request, response) => {
    response.json(request.url);
  });

  expect((await supertest(app).get(sent)).body).toBe(read);
});
