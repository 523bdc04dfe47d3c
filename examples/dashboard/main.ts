// A dashboard in a terminal: one screen, and with --follow every change from then on.

import { parseArgs } from 'node:util';
import { ChangesDocument, ScreenDocument } from './generated/operations.ts';
import { changeLine, screen } from './screen.ts';
import { ask, follow, type Service } from './service.ts';

// biome-ignore lint/style/noProcessEnv: a script of its own, whose configuration this is.
const { KEY: key = '', BASE_URL: url = 'http://127.0.0.1:4000' } = process.env;
const { values: options } = parseArgs({
  options: {
    first: { type: 'string', default: '5' },
    after: { type: 'string' },
    follow: { type: 'boolean', default: false },
  },
});

const service: Service = { url, key };
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const show = async (): Promise<void> => {
  print(screen(await ask(service, ScreenDocument, { first: Number(options.first), after: options.after })));
};

async function run(): Promise<void> {
  if (!options.follow) return show();
  // The screen is read once the service has begun to tell changes: none is lost between the two.
  const onOpen = (isFirst: boolean): void => {
    if (isFirst) void show().then(() => print('Following; Ctrl-C ends it.'), fail);
  };
  for await (const change of follow(service, ChangesDocument, {}, onOpen)) {
    // More has changed at once than is told one by one.
    if (change.catalogChanged.action === 'RELOAD') await show();
    else print(changeLine(change));
  }
}

function fail(problem: unknown): never {
  // What `fetch` says when the network fails names neither the address nor the reason.
  const sentence = problem instanceof TypeError ? `The connection to ${url} failed.` : messageOf(problem);
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

run().catch(fail);
