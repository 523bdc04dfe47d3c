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

  it('has examples that are valid against its schemas', () => {
    const problems = operations.flatMap(({ operation }) => {
      const contents = [
        operation.requestBody,
        ...Object.keys(operation.responses).map((status) => responseOf(operation, status)),
      ];
      const bodies = contents.flatMap((part) => {
        const schema = part?.content?.['application/json'].schema;
        return schema === undefined || part === undefined
          ? []
          : Object.values(examplesOf(part)).map((value) => ({ schema, value }));
      });
      const parameters = parametersOf(operation).map(({ schema, example }) => ({ schema, value: example }));
      return [...bodies, ...parameters].flatMap(({ schema, value }) => problemsWith(schema, value));
    });
    expect(problems).toEqual([]);
  });

  it('has header examples that are valid against their schemas', () => {
    const { headers } = document.components;
    const examples = Object.values(headers).filter(({ example }) => example !== undefined);
    expect(examples.flatMap((header) => problemsWith(header.schema, header.example))).toEqual([]);
  });

  it('names no schema as client generators name their own types', () => {
    const operationIds = operations.map(({ operation }) => operation.operationId.toLowerCase());
    const suffixes = ['', 'data', 'error', 'errors', 'params', 'response', 'responses', 'result'];
    const taken = new Set(['error', ...operationIds.flatMap((id) => suffixes.map((suffix) => id + suffix))]);
    const names = Object.keys(document.components.schemas);

    expect(names.filter((name) => taken.has(name.toLowerCase()))).toEqual([]);
  });

  it('has no optional field with a default, which generators of types take for required', () => {
    const properties = Object.values(document.components.schemas).flatMap((schema) =>
      Object.entries<Schema>('properties' in schema ? schema.properties : {}),
    );

    expect(properties.filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  it('refers to no response without content, where generators expect it', () => {
    const responses = operations.flatMap(({ operation }) => Object.values(operation.responses));

    expect(responses.filter((response) => '$ref' in response && !resolved<OpenApiResponse>(response).content)).toEqual(
      [],
    );
  });

  it('has no dangling references', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, $ref = ''] of references) expect(resolved({ $ref })).toBeTypeOf('object');
  });
});

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
          if (status !== '304') expect(response.body).toEqual(examplesOf(responseOf(operation, status))[name]);
        });
      }
    }
  }
});
