import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { codeFor, recipes } from '../../docs/recipes.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const configuration = z.object({
  mcpServers: z.object({
    'academic-structure': z.object({
      command: z.literal('npx'),
      args: z.array(z.string()),
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
  const { command, args, env } = configuration.parse(
    JSON.parse(codeFor(server, recipe?.code ?? '').replace('uas_…', key)),
  ).mcpServers['academic-structure'];
  const agent = spawn(command, args, { detached: true, env: { PATH: inject('searchPath'), HOME: homedir(), ...env } });
  // npx starts it in a process of its own.
  onTestFinished(() => void process.kill(-(agent.pid ?? Number.NaN)));
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
