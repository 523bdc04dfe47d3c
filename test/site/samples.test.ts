import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sampleRequestOf, samplesOf } from '../../site/docs/samples.ts';
import { exampleOrigin } from '../../site/layout.ts';
import { examplesOf, inOrder, responseOf } from '../openapi/expectations.ts';
import { adminKey, useServer } from '../support/server.ts';

const run = promisify(execFile);

describe('the JavaScript samples of the API reference', () => {
  const server = useServer();
  /** One that sends a body, and one that reads. */
  const sampled = inOrder.filter(({ operation }) => /^(?:create|list)Programs?$/.test(operation.operationId));

  it('are of a create and a list', () => {
    expect(sampled).toHaveLength(2);
  });

  it.each(sampled)('prints the example response to $operation.operationId', async ({ method, path, operation }) => {
    const samples = samplesOf(sampleRequestOf(method, `/v1${path}`, operation));
    const code = samples.find(({ name }) => name === 'JavaScript')?.code ?? '';
    const here = code
      .replace(exampleOrigin, server.url)
      .replace('console.log(await response.json())', 'console.log(JSON.stringify(await response.json()))');

    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', here], { env: { KEY: adminKey } });

    expect(JSON.parse(stdout)).toEqual(examplesOf(responseOf(operation, method === 'post' ? 201 : 200))['example']);
  });
});
