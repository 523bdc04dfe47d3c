// Prints the catalog as programmes of Open Education API 6.0: a JSON array.
// KEY=… tsx examples/oeapi/main.ts > programmes.json
import {
  BranchesAsSpecialisationsDocument,
  type BranchesAsSpecialisationsQuery,
  ProgramsAsProgrammesDocument,
  type ProgramsAsProgrammesQuery,
  type TypedDocumentString,
} from './generated/operations.ts';
import { programmesOf } from './programmes.ts';

// biome-ignore lint/style/noProcessEnv: a standalone script, configured by its environment.
const { KEY: key = '', BASE_URL: url = 'http://127.0.0.1:4000', LANGUAGE_TAG: language = 'en' } = process.env;

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** All pages of a connection. A page costs the same at any depth. */
async function readAll<Data, Node>(
  document: TypedDocumentString<Data, { after?: string | null }>,
  pageOf: (data: Data) => Page<Node>,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ query: document.toString(), variables: { after } }),
    });
    const { data, errors = [] }: { data?: Data; errors?: { message: string }[] } = await response.json();
    if (data === undefined || errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
    const page = pageOf(data);
    nodes.push(...page.nodes);
    [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
  }
  return nodes;
}

const catalog = {
  programs: await readAll(ProgramsAsProgrammesDocument, (data: ProgramsAsProgrammesQuery) => data.programsConnection),
  branches: await readAll(
    BranchesAsSpecialisationsDocument,
    (data: BranchesAsSpecialisationsQuery) => data.branchesConnection,
  ),
};
process.stdout.write(`${JSON.stringify(programmesOf(catalog, { address: url, language }), null, 2)}\n`);
