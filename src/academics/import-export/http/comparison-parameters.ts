import { z } from 'zod';
import { problem } from '../../../validation/problems.ts';
import { validationFailed } from '../../../validation/validate.ts';
import type { ComparedPoints } from '../../editions/comparison.ts';
import { type CatalogPoint, parsePoint, pointForm } from '../../editions/points.ts';
import { type ParameterReader, readParameters } from './parameters.ts';

const compared = z.object({ from: z.custom<CatalogPoint>(), to: z.custom<CatalogPoint>() });

const pointParameter: ParameterReader = { form: pointForm, read: parsePoint };

/** Reads the query of a comparison. @throws ServiceError `VALIDATION_FAILED` with all problems by parameter. */
export function readComparedPoints(url: string): ComparedPoints {
  const { input, problems } = readParameters(url, { from: pointParameter, to: pointParameter });
  const missing = ['from', 'to'].filter((name) => !Object.hasOwn(input, name) && !Object.hasOwn(problems, name));
  const all = { ...problems, ...Object.fromEntries(missing.map((field) => [field, [problem('REQUIRED', { field })]])) };
  if (Object.keys(all).length > 0) throw validationFailed(all);
  return compared.parse(input);
}
