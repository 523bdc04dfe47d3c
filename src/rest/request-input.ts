import { identifierMax, notFound } from '../academics/identifier.ts';
import { validationFailed } from '../academics/validate.ts';
import type { Route } from './routes.ts';

/** What a request asks for, by field name. */
export type Input = Readonly<Record<string, unknown>>;

/** The parts of an address that say what is asked for. */
export interface Address {
  /** What stands where the row's path has `:id`. */
  readonly id: string;
  /** What follows the `?`. */
  readonly query: string;
}

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Takes the input of a row that reads from where the row says, by field name and not checked yet but for what only
 * REST can get wrong: text where a number belongs.
 *
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id that no record can have.
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

/**
 * An id above the largest that a record can have names none; GraphQL's `Int` could not even carry it
 * (`contract.md` 2).
 *
 * @throws ServiceError `NOT_FOUND`.
 */
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

/** The query parameters of lists. What is no number, or given twice, stays as it is, so that its schema refuses it. */
function fromQuery(query: string): Input {
  const input: Record<string, unknown> = {};
  if (query === '') return input;
  const parameters = new URLSearchParams(query);
  for (const name of ['page', 'size']) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Hundreds of digits are a number too, and the largest of all sizes is taken as 100 (`contract.md` 6).
    const isNumber = values.length === 1 && wholeNumber.test(value);
    input[name] = isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : values;
  }
  return input;
}
