import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provocations, type Stage, setStage } from './openapi-provocations.ts';
import {
  answerOf,
  document,
  examplesOf,
  expectDescribed,
  inOrder,
  operations,
  parametersOf,
  problemsWith,
  resolved,
} from './openapi-truth.ts';

describe('the OpenAPI document', () => {
  it('is the one in openapi.json', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../openapi.json');
  });

  it('has examples that its schemas accept', () => {
    const problems = operations.flatMap(({ operation }) => {
      const contents = [
        operation.requestBody,
        ...Object.keys(operation.responses).map((status) => answerOf(operation, status)),
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

  it('has examples of headers that its schemas accept', () => {
    const { headers } = document.components;
    const examples = Object.values(headers).filter(({ example }) => example !== undefined);
    expect(examples.flatMap((header) => problemsWith(header.schema, header.example))).toEqual([]);
  });

  it('points at nothing that is not there', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, $ref = ''] of references) expect(resolved({ $ref })).toBeTypeOf('object');
  });
});

describe('real answers', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(() => stage.close());

  for (const described of inOrder) {
    const { operation } = described;
    for (const status of Object.keys(operation.responses)) {
      for (const name of [
        ...Object.keys(examplesOf(answerOf(operation, status))),
        ...(status === '304' ? ['same'] : []),
      ]) {
        it(`to ${operation.operationId} with ${status} (${name}) are as described`, async () => {
          const provoke = provocations[`${status} ${name}`];
          if (provoke === undefined) throw new Error('Nothing provokes it.');
          const response = await provoke(stage, described);
          expect(response.status).toBe(Number(status));
          expectDescribed(described, response);
          if (status !== '304') expect(response.body).toEqual(examplesOf(answerOf(operation, status))[name]);
        });
      }
    }
  }
});
