import { attributePrefix } from './attributes.ts';

/** The most characters of each field, as the service takes them. */
const limits: Readonly<Record<string, number>> = {
  name: 255,
  duration: 100,
  code: 50,
  description: 2_000,
  codePrefix: 20,
  text: 2_000,
};
const attributeMax = 500;

export const limitOf = (field: string): number | undefined =>
  field.startsWith(attributePrefix) ? attributeMax : limits[field];
