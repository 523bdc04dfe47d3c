import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sampleRequestOf, samplesOf } from '../../src/pages/docs/samples.ts';
import { exampleOrigin } from '../../src/pages/layout.ts';
import { examplesOf, inOrder, responseOf } from '../rest/openapi-expectations.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const run = promisify(execFile);

describe('the curl samples of the API reference', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each(inOrder)('print the example response to $operation.operationId', async ({ method, path, operation }) => {
    const [curl] = samplesOf(sampleRequestOf(method, `/v1${path}`, operation));
    const command = String(curl?.code).replace(exampleOrigin, server.url);

    const { stdout } = await run('sh', ['-c', command], { env: { KEY: adminKey, PATH: inject('searchPath') } });

    expect(JSON.parse(stdout)).toEqual(examplesOf(responseOf(operation, method === 'post' ? 201 : 200))['example']);
  });
});
