// A dashboard in a terminal: one screen and, with --follow, every change from then on.

import { parseArgs } from 'node:util';
import { ChangesDocument, ScreenDocument } from './generated/operations.ts';
import { changeLine, screen } from './screen.ts';
import { query, type Service, subscribe } from './service.ts';

// biome-ignore lint/style/noProcessEnv: a standalone script, configured by its environment.
const { KEY: key = '', BASE_URL: url = 'http://127.0.0.1:4000' } = process.env;
const usage = 'Usage: npm run dashboard -- [--first NUMBER, 1 to 100] [--after CURSOR] [--follow]';
const options = optionsOf();

const service: Service = { url, key };
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const show = async (): Promise<void> => {
  print(screen(await query(service, ScreenDocument, { first: options.first, after: options.after })));
};

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        first: { type: 'string', default: '5' },
        after: { type: 'string' },
        follow: { type: 'boolean', default: false },
      },
    });
    const first = Number(values.first);
    if (Number.isInteger(first) && first >= 1 && first <= 100) return { ...values, first };
  } catch {
    // The usage says what is right.
  }
  return fail(usage);
}

async function run(): Promise<void> {
  if (!options.follow) return show();
  // The screen is queried once the subscription is open, so that no change is lost in between.
  const onOpen = (isFirst: boolean): void => {
    if (isFirst) void show().then(() => print('Following; Ctrl-C ends it.'), fail);
  };
  for await (const change of subscribe(service, ChangesDocument, {}, onOpen)) {
    // Too many changes at once to list: refetch.
    if (change.catalogChanged.action === 'RELOAD') await show();
    else print(changeLine(change));
  }
}

function fail(problem: unknown): never {
  // On network errors, the message of `fetch` has neither the URL nor the reason.
  const message = problem instanceof TypeError ? `The connection to ${url} failed.` : messageOf(problem);
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

run().catch(fail);
