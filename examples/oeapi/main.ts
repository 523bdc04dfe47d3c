// Prints the catalog as programmes of Open Education API 6.0: a JSON array.
// KEY=… tsx examples/oeapi/main.ts > programmes.json
import { setTimeout as pause } from 'node:timers/promises';
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

/** Sends a query, again when no whole response arrives and when the service asks for it by `Retry-After`. */
async function send<Data>(body: string): Promise<Data> {
  const headers = { 'Content-Type': 'application/json', 'x-api-key': key };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body }).catch(() => undefined);
    const result: { data?: Data; errors?: { message: string }[] } | undefined = await response
      ?.json()
      .catch(() => undefined);
    const { data, errors = [{ message: 'The service does not answer.' }] } = result ?? {};
    if (data !== undefined && result?.errors === undefined) return data;
    const seconds = response?.headers.get('retry-after') ?? (result === undefined ? attempt : undefined);
    if (attempt === 8 || seconds === undefined) throw new Error(errors.map(({ message }) => message).join(' '));
    await pause(1_000 * Number(seconds));
  }
}

/** All pages of a connection. A page costs the same at any depth. */
async function readAll<Data, Node>(
  document: TypedDocumentString<Data, { after?: string | null }>,
  pageOf: (data: Data) => Page<Node>,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const page: Page<Node> = pageOf(
      await send<Data>(JSON.stringify({ query: document.toString(), variables: { after } })),
    );
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
