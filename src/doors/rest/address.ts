import { identifierMax, notFound, validationFailed } from '../../validation/validate.ts';
import type { ReadRoute } from './routes.ts';

/** The parts of the URL of a GET that its input is read from. */
export interface Address {
  /** The text in place of `:id`. */
  readonly id: string;
  /** The query, without `?`. */
  readonly query: string;
}

/** The input of a request, by field name. */
type Input = Readonly<Record<string, unknown>>;

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Reads the input of a GET by field name. Checks only what is particular to REST: text where a number belongs.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
export function inputOfAddress({ input, refersTo }: ReadRoute, { id, query }: Address): Input {
  if (input === 'none') return {};
  return input === 'query' ? fromQuery(query) : fromPath(refersTo, id);
}

function fromPath(kind: ReadRoute['refersTo'], text: string): Input {
  if (!wholeNumber.test(text)) {
    throw validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] });
  }
  if (kind !== undefined && Number(text) > identifierMax) throw notFound(kind, text);
  return { id: Number(text) };
}

/** The query parameters of lists. An invalid or repeated number stays as it is, so that its schema rejects it. */
function fromQuery(query: string): Input {
  const input: Record<string, unknown> = {};
  if (query === '') return input;
  const parameters = new URLSearchParams(query);
  for (const name of ['page', 'size']) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Hundreds of digits are a number too, and any large size is taken as 100 (`docs/contract.md` 6).
    const isNumber = values.length === 1 && wholeNumber.test(value);
    input[name] = isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : values;
  }
  return input;
}
