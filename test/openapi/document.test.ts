import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiResponse, Schema } from '../../site/openapi/types.ts';
import {
  document,
  examplesOf,
  expectDescribed,
  inOrder,
  operations,
  parametersOf,
  problemsWith,
  resolved,
  responseOf,
} from './expectations.ts';
import { type Stage, scenarios, setStage } from './scenarios.ts';

describe('the OpenAPI document', () => {
  it('is the one in openapi.json', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../openapi.json');
  });

  it('violates none of the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('has examples of requests, parameters and headers that are valid against their schemas', () => {
    const parameters = operations.flatMap(({ operation }) => parametersOf(operation));
    const requests = operations.flatMap(({ operation: { requestBody: body } }) =>
      body === undefined
        ? []
        : Object.values(examplesOf(body)).map((example) => ({
            schema: body.content['application/json'].schema,
            example,
          })),
    );
    for (const { schema, example } of [...parameters, ...requests, ...Object.values(document.components.headers)]) {
      if (example !== undefined) expect(problemsWith(schema, example)).toEqual([]);
    }
  });

  it('has what generators of clients expect: no names of their own, no defaults of optional fields, and content', () => {
    const { schemas } = document.components;
    const suffixes = ['', 'data', 'error', 'errors', 'params', 'response', 'responses', 'result'];
    const taken = operations.flatMap(({ operation }) =>
      suffixes.map((suffix) => operation.operationId.toLowerCase() + suffix),
    );
    const fields = Object.values(schemas).flatMap((schema) =>
      Object.entries<Schema>('properties' in schema ? schema.properties : {}),
    );
    const responses = operations.flatMap(({ operation }) => Object.values(operation.responses));

    expect(Object.keys(schemas).filter((name) => ['error', ...taken].includes(name.toLowerCase()))).toEqual([]);
    expect(fields.filter(([, schema]) => 'default' in schema)).toEqual([]);
    expect(responses.filter((one) => '$ref' in one && !resolved<OpenApiResponse>(one).content)).toEqual([]);
  });
});

/** The header X-Error-Code, by the status and, where it has several, by the name of the example. */
const codes: Readonly<Record<string, string>> = {
  missing: 'API_KEY_MISSING',
  response: 'RESPONSE_TOO_LARGE',
  invalid: 'API_KEY_INVALID',
  noUser: 'UNAUTHENTICATED',
  400: 'VALIDATION_FAILED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'BAD_USER_INPUT',
  409: 'CONFLICT',
  413: 'VALIDATION_FAILED',
  415: 'VALIDATION_FAILED',
  422: 'CONFLICT',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'UNAVAILABLE',
};

describe('the response', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(() => stage.close());

  for (const described of inOrder) {
    const { operation } = described;
    for (const status of Object.keys(operation.responses)) {
      for (const name of [
        ...Object.keys(examplesOf(responseOf(operation, status))),
        ...(status === '304' ? ['same'] : []),
      ]) {
        it(`to ${operation.operationId} with ${status} (${name}) is as documented`, async () => {
          const scenario = scenarios[`${status} ${name}`];
          if (scenario === undefined) throw new Error('It has no scenario.');
          const response = await scenario(stage, described);
          expect(response.status).toBe(Number(status));
          expectDescribed(described, response);
          expect(response.headers['x-error-code']).toBe(codes[name] ?? codes[status]);
          if (status !== '304') expect(response.body).toEqual(examplesOf(responseOf(operation, status))[name]);
        });
      }
    }
  }
});
