import { CodeBlock } from '../components/code-block.tsx';

interface ApiCallsProps {
  /** Below `/v1/api/academics/`. */
  readonly path: string;
  readonly query: string;
}

/** The API requests for the record on the screen. */
export function ApiCalls({ path, query }: ApiCallsProps) {
  const { origin } = location;
  return (
    <details className="card">
      <summary>As an API call</summary>
      <h3>REST</h3>
      <CodeBlock label="REST request" code={`curl -s ${origin}/v1/api/academics/${path} \\\n  -H "x-api-key: $KEY"`} />
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
