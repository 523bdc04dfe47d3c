import type { Request, Response } from 'express';
import { validationFailed } from '../academics/check.ts';
import { identifierMax, notFound } from '../academics/identifier.ts';
import type { JsonBodyReader } from '../http/json-body.ts';
import type { Route } from './routes.ts';

type Input = Readonly<Record<string, unknown>>;

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Takes a route's input from where its row says, by field name and not checked yet but for what only
 * REST can get wrong: text where a number belongs, and a body that is no JSON object.
 *
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id that no record can have.
 */
export async function inputOf(
  route: Route,
  request: Request,
  response: Response,
  readBody: JsonBodyReader,
): Promise<Input> {
  switch (route.input) {
    case 'none':
      return {};
    case 'query':
      return fromQuery(request);
    case 'path':
      return fromPath(route, request);
    case 'body':
      return readBody(request, response);
  }
}

/**
 * An id above the largest that a record can have names none; GraphQL's `Int` could not even carry it
 * (`contract.md` 2).
 *
 * @throws ServiceError `NOT_FOUND`.
 */
export function refuseIdentifierBeyondRange({ names }: Route, input: Input): void {
  if (names === undefined) return;
  const id = input[names.field];
  if (typeof id === 'number' && id > identifierMax) throw notFound(names.kind, BigInt(id).toString());
}

function fromPath({ names }: Route, request: Request): Input {
  const text = request.params['id'];
  if (typeof text !== 'string' || !wholeNumber.test(text)) {
    throw validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] });
  }
  if (names !== undefined && Number(text) > identifierMax) throw notFound(names.kind, text);
  return { id: Number(text) };
}

/** The query parameters of lists. What is no number, or given twice, stays as it is, so that its schema refuses it. */
function fromQuery(request: Request): Input {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
  const input: Record<string, unknown> = {};
  for (const name of ['page', 'size']) {
    const values = query.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Hundreds of digits are a number too, and the largest of all sizes is taken as 100 (`contract.md` 6).
    const isNumber = values.length === 1 && wholeNumber.test(value);
    input[name] = isNumber ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : values;
  }
  return input;
}
