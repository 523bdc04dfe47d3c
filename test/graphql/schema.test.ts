import { getNamedType, isIntrospectionType, isNonNullType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printedSchema, schema } from '../../src/doors/graphql/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** Types through which programs are reached: reading them needs a permission (`docs/contract.md` 4). */
const programTypes = new Set(['Program', 'ProgramPage', 'ProgramConnection', 'ProgramEdge']);

describe('the schema', () => {
  it('is the one in schema.graphql', async () => {
    await expect(printedSchema()).toMatchFileSnapshot('../../schema.graphql');
  });

  it('requires a permission on every field that returns a program', () => {
    const unprotected: string[] = [];
    for (const type of types.filter(isObjectType)) {
      for (const field of Object.values(type.getFields())) {
        if (programTypes.has(type.name) || !programTypes.has(getNamedType(field.type).name)) continue;
        const { operation, access = operation?.access } = field.extensions;
        if (!['programs:read', 'programs:write', 'admin'].includes(String(access))) {
          unprotected.push(`${type.name}.${field.name}`);
        }
      }
    }
    expect(unprotected).toEqual([]);
  });

  it('may return null for every mutation, so that one failed field hides nothing that the others have done', () => {
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });

  it('has an id only on types where it is unique, since clients cache objects by type and id; problems have that of their record', () => {
    const identified = types.filter((type) => isObjectType(type) && 'id' in type.getFields());
    expect(identified.map(({ name }) => name).sort()).toEqual([
      'ApiKey',
      'AttributeDefinition',
      'AuditEntry',
      'Branch',
      'BranchYear',
      'BulkProblem',
      'Colleague',
      'Edition',
      'Note',
      'Program',
      'SavedView',
      'User',
      'ViewerKey',
    ]);
  });

  it('performs an operation at every root field', () => {
    const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
    expect(fields.filter((field) => field.extensions.operation === undefined).map((field) => field.name)).toEqual([]);
  });
});
