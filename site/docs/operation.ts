import { type Html, html } from '../html.ts';
import { codeBlock } from '../layout.ts';
import { markdown } from '../markdown.ts';
import type { Operation, Parameter } from '../openapi/types.ts';
import { fieldList, fieldsOf, type Resolve } from './field-list.ts';
import { responseExamples, responseList } from './responses.ts';
import { sampleRequestOf, samplesOf } from './samples.ts';
import { tryIt } from './try-it.ts';

export interface DocumentedEndpoint {
  readonly method: string;
  /** The full path, with parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

const inputTitles = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

/** Renders an operation: inputs and responses on the left, examples on the right. */
export function operationSection({ method, path, operation }: DocumentedEndpoint, resolve: Resolve): Html {
  const { operationId, summary, description } = operation;
  const request = sampleRequestOf(method, path, operation);
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="text">
<h3 id="${operationId}-title"><a class="anchor" href="#${operationId}">${summary}</a></h3>
<p class="address">${methodBadge(method)} <code>${path}</code></p>
${markdown(description)}
${inputs(operation, resolve)}
<h4>Responses</h4>
${responseList(operation, resolve)}
</div>
<div class="examples">
<div class="panel">
<div class="bar"><span>Request</span><span class="languages" role="group" aria-label="Language of the examples">${samplesOf(
    request,
  ).map(
    ({ name }, index) =>
      html`<button type="button" data-language-choice="${name}" aria-pressed="${index === 0 ? 'true' : 'false'}">${name}</button>`,
  )}</span></div>
${samplesOf(request).map(
  ({ name, language, code }, index) =>
    html`<div data-sample="${name}"${index > 0 && html` hidden`}>${codeBlock(code, language, `${summary} in ${name}`)}</div>`,
)}
</div>
${tryIt(path, operation, request, resolve)}
${responseExamples(operation, resolve)}
</div>
</section>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function inputs(operation: Operation, resolve: Resolve): Html {
  const { requestBody } = operation;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(parameter));
  const lists = inputTitles.map(([location, title]) => {
    const fields = parameters.filter((parameter) => parameter.in === location);
    const listed = fields.map(({ required = false, ...field }) => ({ ...field, required }));
    return fields.length > 0 && html`<h4>${title}</h4>${fieldList(listed, resolve)}`;
  });
  const body =
    requestBody !== undefined &&
    html`<h4>Body</h4>${fieldsOf(requestBody.content['application/json'].schema, resolve, { showRequired: true })}`;
  return html`${body}${lists}`;
}
