import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import packageJson from '../../examples/recipes/package.json' with { type: 'json' };
import { useServer } from '../support/server.ts';
import { codeFor, recipes } from './recipes.ts';

const server = useServer();

const configuration = z.object({
  mcpServers: z.object({
    'academic-structure': z.object({
      command: z.literal('npx'),
      args: z.tuple([z.literal('--yes'), z.literal(`mcp-graphql@${packageJson.devDependencies['mcp-graphql']}`)]),
      env: z.record(z.string(), z.string()),
    }),
  }),
});
const answer = z.object({
  id: z.number(),
  result: z.looseObject({
    tools: z.array(z.object({ name: z.string() })).default([]),
    content: z.array(z.object({ text: z.string() })).default([]),
    isError: z.boolean().default(false),
  }),
});

it('an agent lists the tools of the recipe, reads the schema, sends a query, and changes nothing', async () => {
  await server.make.program({ name: 'Optics' });
  const key = await server.makeKey({ role: 'viewer', readOnly: true });
  const recipe = recipes.find(({ title, language }) => title === 'AI agents by MCP' && language === 'json');
  const { env } = configuration.parse(JSON.parse(codeFor(server, recipe?.code ?? '').replace('uas_…', key))).mcpServers[
    'academic-structure'
  ];
  // As npx starts it, without the network.
  const agent = spawn(process.execPath, ['node_modules/mcp-graphql/dist/index.js'], { env });
  onTestFinished(() => void agent.kill());
  const lines = createInterface(agent.stdout)[Symbol.asyncIterator]();
  let id = 0;
  const tell = (method: string, message: object) =>
    agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, ...message })}\n`);
  const ask = async (method: string, params: object) => {
    id += 1;
    tell(method, { id, params });
    return answer.parse(JSON.parse((await lines.next()).value ?? '')).result;
  };
  const send = (query: string) => ask('tools/call', { name: 'query-graphql', arguments: { query } });

  await ask('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  tell('notifications/initialized', {});
  const { tools } = await ask('tools/list', {});
  expect(tools.map(({ name }) => name)).toEqual(['introspect-schema', 'query-graphql']);
  const { content: described } = await ask('tools/call', { name: 'introspect-schema', arguments: {} });
  expect(described[0]?.text).toContain('type Program implements Node {');
  const { content: found } = await send('{ programs { items { name } } }');
  expect(JSON.parse(found[0]?.text ?? '')).toEqual({ data: { programs: { items: [{ name: 'Optics' }] } } });
  const refused = await send('mutation { deleteProgram(id: 1) { id } }');
  expect([refused.isError, refused.content[0]?.text]).toEqual([
    true,
    expect.stringContaining('Mutations are not allowed'),
  ]);
});
