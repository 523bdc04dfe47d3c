import type { Operation, Parameter } from '../../rest/openapi/types.ts';
import { type Html, html } from '../html.ts';
import type { Resolve } from './fields.ts';
import type { SampleRequest } from './samples.ts';

/** A form that makes the call, and a place for the live answer. */
export function tryIt(path: string, operation: Operation, request: SampleRequest, resolve: Resolve): Html {
  const { operationId, requestBody } = operation;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(parameter));
  const inputs = parameters.filter((parameter) => parameter.name !== 'X-Request-Id');
  return html`<details class="panel try">
<summary>Try it</summary>
<form data-try data-method="${request.method}" data-path="${path}">
${inputs.map((parameter) => input(operationId, parameter))}
${requestBody !== undefined && bodyInput(operationId, request.body)}
${requestBody !== undefined && html`<p class="hint">This is the real catalog: what you create stays.</p>`}
<p class="actions"><button type="submit" class="primary">Send</button><output data-try-note></output></p>
</form>
<div class="live" data-live aria-live="polite" hidden></div>
</details>`;
}

function input(operationId: string, { name, in: place, required = false, example }: Parameter): Html {
  const id = `${operationId}-${place}-${name}`;
  const value = place === 'header' ? '' : String(example);
  return html`<p class="input"><label for="${id}">${name} <small>${place}</small></label>
<input id="${id}" name="${name}" data-in="${place}" value="${value}"${required && html` required`} autocomplete="off" spellcheck="false"></p>`;
}

function bodyInput(operationId: string, body: unknown): Html {
  const text = JSON.stringify(body, null, 2);
  const id = `${operationId}-body`;
  return html`<p class="input"><label for="${id}">Body <small>JSON</small></label>
<textarea id="${id}" name="body" rows="${text.split('\n').length}" spellcheck="false">${text}</textarea></p>`;
}
