import { exampleOrigin } from '../layout.ts';
import type { Operation } from '../openapi/types.ts';

/** An example request. */
export interface SampleRequest {
  readonly method: string;
  /** The path, with parameters filled in. */
  readonly address: string;
  readonly body: unknown;
}

/** A request in a language. */
export interface Sample {
  readonly name: string;
  /** For syntax highlighting. */
  readonly language: string;
  readonly code: string;
}

/** The example request of an operation. */
export function sampleRequestOf(method: string, path: string, operation: Operation): SampleRequest {
  let address = path;
  for (const parameter of operation.parameters) {
    if (!('in' in parameter)) continue;
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, String(parameter.example));
  }
  return { method: method.toUpperCase(), address, body: bodyOf(operation) };
}

function bodyOf({ requestBody }: Operation): unknown {
  return Object.values(requestBody?.content['application/json'].examples ?? {})[0]?.value;
}

/** The request in each language. The key comes from the environment, to keep it out of files and shell history. */
export function samplesOf(request: SampleRequest): Sample[] {
  return [
    { name: 'curl', language: 'shell', code: curl(request) },
    { name: 'JavaScript', language: 'javascript', code: javaScript(request) },
    { name: 'Python', language: 'python', code: python(request) },
  ];
}

function curl({ address, body }: SampleRequest): string {
  const lines = [`curl -s ${exampleOrigin}${address}`, '-H "x-api-key: $KEY"'];
  if (body !== undefined)
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d '${shellQuoted(indented(JSON.stringify(body, null, 2), 2))}'`,
    );
  return lines.join(' \\\n  ');
}

/** Escapes text for single quotes of a shell. */
function shellQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

function javaScript({ method, address, body }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(body === undefined
      ? ["headers: { 'x-api-key': process.env.KEY },"]
      : [
          "headers: { 'x-api-key': process.env.KEY, 'Content-Type': 'application/json' },",
          `body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),`,
        ]),
  ];
  return `const response = await fetch('${exampleOrigin}${address}', {
  ${options.join('\n  ')}
});
console.log(await response.json());`;
}

function python({ method, address, body }: SampleRequest): string {
  const options = [
    `"${exampleOrigin}${address}",`,
    'headers={"x-api-key": os.environ["KEY"]},',
    ...(body === undefined ? [] : [`json=${indented(pythonOf(body), 4)},`]),
  ];
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    ${options.join('\n    ')}
)
print(response.json())`;
}

/** A flat JSON value as a Python literal. */
function pythonOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `    ${JSON.stringify(name)}: ${pythonOf(field)},`);
    return `{\n${fields.join('\n')}\n}`;
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
