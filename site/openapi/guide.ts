/** The introduction of the reference, in Markdown. */
export const guide = `The academic structure of a university: its **programs**, the **branches** of each, and the **years** of each branch. Every response body is the data of a [GraphQL](/graphql) operation, so everything in REST is available in GraphQL too.

## Authentication

Every request needs an API key, or a JWT from your identity provider:

\`\`\`
x-api-key: uas_…
\`\`\`

\`x-api-key: Bearer uas_…\` and \`Authorization: Bearer uas_…\` work too, for clients that cannot send the plain header. [Ping](#ping) checks whether a key is accepted. Permissions come from the key's user: reading programs requires \`programs:read\`, creating them \`programs:write\`; any active user may read and create branches. A read-only key cannot create anything.

## Errors

Every error is a JSON object with a \`message\`. A validation error also has \`errors\`: all messages, by field name. The header \`X-Error-Code\` has a code for programs, such as \`NOT_FOUND\`: those of \`extensions.code\` in GraphQL. What each means, and what to do, is under [errors](/docs/errors).

| status | meaning |
| --- | --- |
| 400 | The input is invalid: see \`errors\`. |
| 401 | The API key is missing or invalid, or does not belong to an active user. |
| 403 | The user lacks a permission, or the key is read-only. |
| 404 | The path, program or branch does not exist or has been deleted. |
| 405 | The path does not support the method; \`Allow\` lists those that it does. |
| 409, 422 | The request with this \`Idempotency-Key\` is still in progress, or the key was used with a different request. |
| 413, 415 | The body is too large, or not \`application/json\`. |
| 422 of a GET | The response would be too large. |
| 429 | Rate limit exceeded: retry after \`Retry-After\` seconds. |
| 500 | Internal error. The log has the cause; search for the \`X-Request-Id\` of the response. |
| 503 | The database is unreachable, or the service is overloaded or shutting down: retry after \`Retry-After\` seconds. |

Checks run in this order: key, path and method, permission, input, existence.

## Text

Any script, emoji included. Lengths are counted in Unicode code points, after normalization (NFC) and, for single-line fields, trimming; text is stored and returned in that form. Unknown fields are ignored, and \`null\` for an optional field means absent.

## Pagination

Lists are paginated: \`page\` starts at 1; \`size\` defaults to 20 and is capped at 100. Continue while \`hasNextPage\` is true, or follow \`rel="next"\` of the header \`Link\`; a page past the end is empty.

## Safe retries

Send an \`Idempotency-Key\` with a create, and you can safely retry it when the response was lost: for 24 hours every retry gets the first response, marked \`Idempotency-Replayed: true\`. A rejected request does not use up the key.

## Conditional requests

Every read has an \`ETag\`. Send it as \`If-None-Match\`, and the response is a 304 without a body as long as the content has not changed. \`HEAD\` responds as \`GET\` does, without the body.

## Versions

The version is part of the path: \`/v1\`. New fields may be added to responses; breaking changes get a new version, and the old one is supported for at least another year.
`;
