import { CodeBlock } from '../components/code-block.tsx';

interface ApiCallsProps {
  /** The REST resource, below the base address of the catalog. */
  readonly path: string;
  /** The GraphQL query for the same. */
  readonly query: string;
}

/** The requests that read exactly what is on the screen, to copy. */
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
