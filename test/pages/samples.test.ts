import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleRequestOf, samplesOf } from '../../src/pages/docs/samples.ts';
import { exampleOrigin } from '../../src/pages/layout.ts';
import { answerOf, examplesOf, inOrder } from '../rest/openapi-truth.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const run = promisify(execFile);

describe('the JavaScript of the reference', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each(inOrder)('prints the example answer to $operation.operationId', async ({ method, path, operation }) => {
    const samples = samplesOf(sampleRequestOf(method, `/v1${path}`, operation));
    const code = samples.find(({ name }) => name === 'JavaScript')?.code ?? '';
    const here = code
      .replace(exampleOrigin, server.url)
      .replace('console.log(await response.json())', 'console.log(JSON.stringify(await response.json()))');

    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', here], { env: { KEY: adminKey } });

    expect(JSON.parse(stdout)).toEqual(examplesOf(answerOf(operation, method === 'post' ? 201 : 200))['example']);
  });
});
