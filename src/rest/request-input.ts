import { identifierMax, notFound } from '../validation/identifier.ts';
import { validationFailed } from '../validation/validate.ts';
import type { Route } from './routes.ts';

/** The input of a request, by field name. */
export type Input = Readonly<Record<string, unknown>>;

export interface Address {
  /** The text in place of `:id`. */
  readonly id: string;
  /** Without `?`. */
  readonly query: string;
}

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Reads the input of a GET by field name. Checks only what is particular to REST: text where a number belongs.
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
export function inputOfAddress(route: Route, { id, query }: Address): Input {
  switch (route.input) {
    case 'path':
      return fromPath(route, id);
    case 'query':
      return fromQuery(query);
    default:
      return {};
  }
}

/** @throws ServiceError `NOT_FOUND` for an id that GraphQL's `Int` cannot hold (`docs/contract.md` 2). */
export function rejectIdentifierBeyondRange({ refersTo }: Route, input: Input): void {
  if (refersTo === undefined) return;
  const id = input[refersTo.field];
  if (typeof id === 'number' && id > identifierMax) throw notFound(refersTo.kind, BigInt(id).toString());
}

function fromPath({ refersTo }: Route, text: string): Input {
  if (!wholeNumber.test(text)) {
    throw validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] });
  }
  if (refersTo !== undefined && Number(text) > identifierMax) throw notFound(refersTo.kind, text);
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
