interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What is compared of an answer: its status and its whole body. */
export function statusAndBody({ status, body }: Answer): Answer {
  return { status, body };
}

/** A refusal with nothing but a message. */
export function errorBody(status: number, message: string): Answer {
  return { status, body: { message } };
}

export const keyMissing = errorBody(401, 'API key is missing.');
export const keyInvalid = errorBody(401, 'API key is invalid.');
export const userNotAuthenticated = errorBody(401, 'User is not authenticated.');
export const keyReadOnly = errorBody(403, 'This API key is read-only.');

/** The refusal of input, with all its problems. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Answer {
  return { status: 400, body: { message: 'The request has invalid input.', errors } };
}

/** The refusal of a body before its fields are looked at. */
export function invalidBody(status: 400 | 413 | 415, problem: string): Answer {
  return { status, body: { message: 'The request has an invalid body.', errors: { body: [problem] } } };
}
