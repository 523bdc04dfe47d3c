import { CodeBlock } from '../components/code-block.tsx';

/** The requests that read exactly what is on the screen, to copy. */
export function ApiCalls({ id }: { readonly id: number }) {
  const { origin } = location;
  const query = `{ program(id: ${id}) { id name code duration branches { id name description years { code year } } } }`;
  return (
    <details className="card">
      <summary>As an API call</summary>
      <h3>REST</h3>
      <CodeBlock
        label="REST request"
        code={`curl -s ${origin}/v1/api/academics/programs/${id} \\\n  -H "x-api-key: $KEY"`}
      />
      <h3>GraphQL</h3>
      <CodeBlock
        label="GraphQL request"
        code={`curl -s ${origin}/graphql \\\n  -H "x-api-key: $KEY" -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ query })}'`}
      />
      <p className="hint">
        <code>$KEY</code> is your key. More in the <a href="/docs">reference</a>.
      </p>
    </details>
  );
}
