interface ExpectedResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The compared part of a response: its status and whole body. */
export function statusAndBody({ status, body }: ExpectedResponse): ExpectedResponse {
  return { status, body };
}

/** An error with only a message. */
export function errorBody(status: number, message: string): ExpectedResponse {
  return { status, body: { message } };
}

export const keyMissing = errorBody(401, 'API key is missing.');
export const keyInvalid = errorBody(401, 'API key is invalid.');
export const userNotAuthenticated = errorBody(401, 'User is not authenticated.');
export const keyReadOnly = errorBody(403, 'This API key is read-only.');

/** The 400 for invalid input, with the problems by field. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): ExpectedResponse {
  return { status: 400, body: { message: 'The request has invalid input.', errors } };
}
