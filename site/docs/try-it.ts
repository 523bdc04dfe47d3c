import { type Html, html } from '../html.ts';
import { unseen } from '../layout.ts';
import type { Operation, Parameter } from '../openapi/types.ts';
import type { Resolve } from './field-list.ts';
import type { SampleRequest } from './samples.ts';

/** Renders a form that sends a request, and a place for its response. */
export function tryIt(path: string, operation: Operation, request: SampleRequest, resolve: Resolve): Html {
  const { operationId, summary, requestBody } = operation;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(parameter));
  const inputs = parameters.filter((parameter) => parameter.name !== 'X-Request-Id');
  return html`<details class="panel try">
<summary>Try it${unseen(`: ${summary}`)}</summary>
<form data-try data-method="${request.method}" data-path="${path}">
${inputs.map((parameter) => input(operationId, parameter))}
${requestBody !== undefined && bodyInput(operationId, request.body)}
${requestBody !== undefined && html`<p class="hint">This writes to the real catalog.</p>`}
<p class="actions"><button type="submit" class="primary">Send${unseen(`: ${summary}`)}</button><output data-try-note></output></p>
</form>
<div class="live" data-live aria-live="polite" hidden></div>
</details>`;
}

function input(operationId: string, { name, in: location, required = false, example }: Parameter): Html {
  const id = `${operationId}-${location}-${name}`;
  const value = location === 'header' ? '' : String(example);
  return html`<p class="input"><label for="${id}">${name} <small>${location}</small></label>
<input id="${id}" name="${name}" data-in="${location}" value="${value}"${required && html` required`} autocomplete="off" spellcheck="false"></p>`;
}

function bodyInput(operationId: string, body: unknown): Html {
  const text = JSON.stringify(body, null, 2);
  const id = `${operationId}-body`;
  return html`<p class="input"><label for="${id}">Body <small>JSON</small></label>
<textarea id="${id}" name="body" rows="${text.split('\n').length}" spellcheck="false">${text}</textarea></p>`;
}
