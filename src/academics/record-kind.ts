import { builder } from '../graphql/builder.ts';
import { upperCaseValues } from '../graphql/enum-values.ts';
import { recordKinds } from './kinds.ts';

export const RecordKindEnum = builder.enumType('RecordKind', {
  description: 'Type of a record of the catalog.',
  values: upperCaseValues(recordKinds, { Program: 'A program.', Branch: 'A branch.' }),
});
