// Relays each change of the catalog to a webhook, in order, signed as https://www.standardwebhooks.com says.
// KEY=… WEBHOOK_URL=… WEBHOOK_SECRET=whsec_… node webhook-relay.js relay.json
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// biome-ignore lint/style/noProcessEnv: a standalone script, configured by its environment.
const environment = process.env;
const { KEY = '', BASE_URL = 'http://127.0.0.1:4000', INTERVAL_SECONDS = '5' } = environment;
const { WEBHOOK_URL = '', WEBHOOK_SECRET = '' } = environment;
const intervalMs = Number(INTERVAL_SECONDS) * 1_000;
const [, , file = 'relay.json'] = process.argv;
const secret = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');

const query = `query ($after: String) {
  catalogChanges(after: $after) {
    changes {
      action kind at programId branchId previousProgramId
      program { id code name duration }
      branch { id name description years { code year } }
    }
    cursor reload
  }
}`;

async function changesSince(after) {
  const response = await fetch(`${BASE_URL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify({ query, variables: { after } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data.catalogChanges;
}

/** A message has its id from the beginning: a receiver that gets it twice can tell. */
const message = (type, timestamp, data) => ({
  id: `msg_${randomUUID()}`,
  body: JSON.stringify({ type, timestamp, data }),
});

async function send({ id, body }) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await fetch(WEBHOOK_URL, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  if (!response.ok) throw new Error(`The webhook responds ${response.status}.`);
}

/** The cursor, and what was read before it and is not delivered yet, in one file, replaced at once. */
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { cursor: undefined, outbox: [] };
function save() {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

for (let failures = 0; ; ) {
  try {
    for (let [next] = state.outbox; next !== undefined; [next] = state.outbox) {
      await send(next);
      state.outbox.shift();
      save();
    }
    const { changes, cursor, reload } = await changesSince(state.cursor);
    state.outbox = changes.map((change) => message(`${change.kind}.${change.action}`.toLowerCase(), change.at, change));
    if (reload) state.outbox.push(message('catalog.reload', new Date().toISOString(), {}));
    state.cursor = cursor;
    save();
    failures = 0;
    if (changes.length === 0 && !reload) await pause(intervalMs);
  } catch (problem) {
    process.stderr.write(`${problem}\n`);
    failures += 1;
    await pause(Math.min(intervalMs * 2 ** failures, 600_000));
  }
}
