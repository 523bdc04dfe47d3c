import { fileProblemTexts } from '@service/tabular/problems';
import { problemTexts } from '../validation/problems.ts';
import { builder } from './builder.ts';

const texts: Readonly<Record<string, string>> = { ...problemTexts, ...fileProblemTexts };

export const ProblemRule = builder.enumType('ProblemRule', {
  description:
    'What is wrong, by the text of the message with the names of its details: `rule` of problems and errors. There may be more of them later.',
  values: Object.fromEntries(Object.entries(texts).map(([rule, description]) => [rule, { description }])),
});
