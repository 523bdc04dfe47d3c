import { type Html, html } from '../html.ts';
import { codeBlock, unseen } from '../layout.ts';
import { markdownLine } from '../markdown.ts';
import type { Header, OpenApiResponse, Operation } from '../openapi/types.ts';
import { fieldList, fieldsOf, type Resolve } from './field-list.ts';

/** Renders the responses of an operation by status: description, body and headers. */
export function responseList({ operationId, responses }: Operation, resolve: Resolve): Html {
  const byStatus = Object.entries(responses).map(([status, response]) => ({
    status,
    response: resolve<OpenApiResponse>(response),
  }));
  return html`<div class="responses">${byStatus.map(
    ({ status, response }) =>
      html`<details id="${operationId}-${status}"><summary>${statusBadge(status)} <span>${markdownLine(
        response.description,
      )}</span></summary>${body(response, resolve)}${headers(response, resolve)}</details>`,
  )}</div>`;
}

function statusBadge(status: string): Html {
  return html`<span class="status s${status.charAt(0)}">${status}</span>`;
}

function body({ content }: OpenApiResponse, resolve: Resolve): Html {
  if (content === undefined) return html`<p class="none">No body.</p>`;
  return html`<h5>Body</h5>${fieldsOf(content['application/json'].schema, resolve, { showRequired: false })}`;
}

function headers({ headers }: OpenApiResponse, resolve: Resolve): Html {
  const fields = Object.entries(headers).map(([name, reference]) => {
    const { schema, description } = resolve<Header>(reference);
    return { name, schema: { type: schema.type ?? 'string' }, description, required: false };
  });
  return html`<h5>Headers</h5>${fieldList(fields, resolve)}`;
}

/** Renders example responses; the page shows one at a time. */
export function responseExamples({ operationId, summary, responses }: Operation, resolve: Resolve): Html {
  const examples = Object.entries(responses).flatMap(([status, response]) =>
    Object.entries(resolve<OpenApiResponse>(response).content?.['application/json'].examples ?? {}).map(
      ([name, { summary: reason, value }]) => ({
        key: `${status} ${name}`,
        label: status.startsWith('2') ? `${status} Success` : `${status} ${reason}`,
        code: JSON.stringify(value, null, 2),
      }),
    ),
  );
  return html`<div class="panel" data-choice>
<div class="bar"><label for="${operationId}-response">Response${unseen(` of ${summary}`)}</label><select id="${operationId}-response" data-choose>${examples.map(
    ({ key, label }) => html`<option value="${key}">${label}</option>`,
  )}</select></div>
${examples.map(
  ({ key, label, code }, index) =>
    html`<div data-chosen="${key}"${index > 0 && html` hidden`}>${codeBlock(code, 'json', `${summary}: response ${label}`)}</div>`,
)}
</div>`;
}
