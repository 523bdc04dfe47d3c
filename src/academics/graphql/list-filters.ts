import type { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { type InputFields, inputFieldsOf } from '../../graphql/zod-inputs.ts';
import { branchConditions, branchFilterFields, programConditions, programFilterFields } from '../rules/filters.ts';
import { AttributeFilter } from './attributes/attribute.ts';

type Shape = Readonly<Record<string, z.ZodType>> & { readonly attributes: z.ZodType };

const fieldsOf = (t: InputFields, { attributes, ...others }: Shape) => ({
  ...inputFieldsOf(t, others),
  attributes: t.field({ type: [AttributeFilter], description: attributes.description ?? '' }),
});

const limits = 'They may be three levels deep; a filter has at most 20 conditions in them.';
const descriptions = {
  and: `All of these match. ${limits}`,
  or: `At least one of these matches. ${limits}`,
  not: `This does not match: the record has another value, or none. ${limits}`,
} as const;

/** The types refer to themselves, so by name. */
const combined = (t: InputFields, type: 'ProgramCondition' | 'BranchCondition') => ({
  and: t.field({ type: [type], description: descriptions.and }),
  or: t.field({ type: [type], description: descriptions.or }),
  not: t.field({ type, description: descriptions.not }),
});

const allMatch = 'All given conditions must match.';

builder.inputType('ProgramCondition', {
  description: `Conditions of programs within a filter. ${allMatch}`,
  fields: (t) => ({ ...fieldsOf(t, programConditions), ...combined(t, 'ProgramCondition') }),
});

builder.inputType('BranchCondition', {
  description: `Conditions of branches within a filter. ${allMatch}`,
  fields: (t) => ({ ...fieldsOf(t, branchConditions), ...combined(t, 'BranchCondition') }),
});

export const ProgramFilterInput = builder.inputType('ProgramFilter', {
  description: `Filter of a list of programs. ${allMatch}`,
  fields: (t) => ({ ...fieldsOf(t, programFilterFields), ...combined(t, 'ProgramCondition') }),
});

export const BranchFilterInput = builder.inputType('BranchFilter', {
  description: `Filter of a list of branches. ${allMatch}`,
  fields: (t) => ({ ...fieldsOf(t, branchFilterFields), ...combined(t, 'BranchCondition') }),
});
