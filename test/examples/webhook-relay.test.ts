import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { csv, importFile } from '../import-export/import/import-file.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** As the specification of Standard Webhooks says. */
function signatureOf(id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** A receiver that checks signatures, and rejects when it is told to. */
async function openReceiver() {
  const received: { readonly id: string; readonly text: string }[] = [];
  let rejects = false;
  const receiver = createServer(async (request, response) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    const body = await text(request);
    const isGenuine = signature === signatureOf(String(id), String(timestamp), body);
    const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
    const { type, data } = JSON.parse(body);
    if (isGenuine && isRecent)
      received.push({ id: String(id), text: `${type} ${data.branch?.name ?? data.program?.name}` });
    response.writeHead(!isGenuine || rejects ? 500 : 204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    reject: (now: boolean) => {
      rejects = now;
    },
    /** Without what was delivered twice. */
    messages: () => [...new Map(received.map((message) => [message.id, message.text])).values()],
  };
}

it('a signature is that of the example of Standard Webhooks', () => {
  expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

it('the relay delivers each change in order, signed, to a webhook that fails at times, and resumes when it is killed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'relay.json');
  const receiver = await openReceiver();
  const env = {
    KEY: await server.makeKey({ role: 'viewer' }),
    BASE_URL: server.url,
    WEBHOOK_URL: receiver.url,
    WEBHOOK_SECRET: secret,
    INTERVAL_SECONDS: '0.1',
  };
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['examples/recipes/webhook-relay.js', file], { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const relay = start();
  await within(20_000, async () => expect(JSON.parse(await readFile(file, 'utf8')).cursor).toEqual(expect.any(String)));
  const { id } = await server.make.program({ name: 'Optics' });
  await within(20_000, () => expect(receiver.messages()).toContain('program.create Optics'));

  receiver.reject(true);
  await server.make.branch(id, { name: 'Lenses' });
  await within(20_000, () => expect(receiver.messages()).toContain('branch.create Lenses'));
  relay.kill('SIGKILL');
  await once(relay, 'close');
  await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
  await server.graphql(`mutation { restoreProgram(id: ${id}) { id } }`);
  receiver.reject(false);
  start();
  const expected = [
    'program.create Optics',
    'branch.create Lenses',
    'branch.delete Lenses',
    'program.delete Optics',
    'program.restore Optics',
    'branch.restore Lenses',
  ];
  await within(20_000, () => expect(receiver.messages()).toEqual(expected));

  const rows = Array.from({ length: 1_001 }, (_, index) => `,Program ${index},4 Years,,,,,`);
  expect((await importFile(server, csv(...rows))).status).toBe(200);
  await within(20_000, () => expect(receiver.messages()).toEqual([...expected, 'catalog.reload undefined']));
});
