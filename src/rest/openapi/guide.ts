/** What a reader needs to know before the operations, in Markdown. */
export const guide = `The academic structure of a university: its **programs**, the **branches** of each, and the **years** of each branch. Every answer is the data of a [GraphQL](/graphql) operation, unchanged; whatever REST shows, GraphQL shows too.

## Authentication

Every request carries an API key, or a token of your identity provider:

\`\`\`
x-api-key: uas_…
\`\`\`

\`x-api-key: Bearer uas_…\` and \`Authorization: Bearer uas_…\` mean the same, for tools that can send nothing else. [Ping](#ping) tells whether a key is accepted. What it may do depends on its user: reading programs needs the permission \`programs:read\`, creating them \`programs:write\`; any active user may read and create branches. A read-only key creates nothing.

## Errors

Every error is a JSON object with a \`message\`. A validation error also has \`errors\`: all that is wrong, each under the name of its field.

| status | meaning |
| --- | --- |
| 400 | The input is invalid: see \`errors\`. |
| 401 | The API key is missing or invalid, or no active user stands behind it. |
| 403 | The user lacks a permission, or the key is read-only. |
| 404 | The path, the program or the branch does not exist, or no longer exists. |
| 405 | The path does not know the method: \`Allow\` says which it does. |
| 409, 422 | The \`Idempotency-Key\` is in use, or belongs to another request. |
| 413, 415 | The body is too large, or not \`application/json\`. |
| 429 | Too much was asked: \`Retry-After\` says how many seconds to wait. |
| 500 | Our mistake. The log has the cause, under the \`X-Request-Id\` of the answer. |
| 503 | The service is stopping or its database is away: repeat after \`Retry-After\` seconds. |

Checks come in one order: the key, then path and method, then the user's permission, then the input, then existence.

## Text

Any script, emoji included. Lengths are counted in Unicode code points, after normalization (NFC) and, for fields of one line, after trimming; text is stored and comes back so. Unknown fields are ignored, and \`null\` for an optional field is as if it were absent.

## Pages

Lists come in pages: \`page\` counts from 1, \`size\` is 20 unless you say otherwise, and more than 100 is taken as 100. \`hasNextPage\` tells when to stop; a page past the end is empty.

## Safe repeats

Send an \`Idempotency-Key\` with a create, and you can repeat the request when its answer was lost: the first outcome is given to every repeat for 24 hours, marked \`Idempotency-Replayed: true\`. A request that was refused leaves the key free.

## Unchanged content

Every read has an \`ETag\`. Send it back as \`If-None-Match\`, and the answer is a 304 without a body as long as nothing has changed. \`HEAD\` answers as \`GET\` does, without the body.

## Versions

The version is part of the address: \`/v1\`. New fields may be added to answers; what would break a client gets a new version, and the old one goes on for at least a year.
`;
