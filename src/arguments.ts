import { version } from './observability/version.ts';

/** What the service says instead of starting. */
interface Reply {
  readonly exitCode: 0 | 1;
  readonly text: string;
}

const help = `Usage: npm start, or node dist/main.js

Starts the Academic Structure Service, which is configured by environment variables and by .env
beside package.json: docs/configuration.md has them all, .env.example is a template.
Users, keys and data: npm run cli -- --help

Options:
  -V, --version  the version
  -h, --help     this text
`;

/** Understands what was typed behind the service's name; undefined when it is to start. */
export function replyTo(words: readonly string[]): Reply | undefined {
  const [word] = words;
  if (word === undefined) return undefined;
  if (words.some((each) => each === '--help' || each === '-h')) return { exitCode: 0, text: help };
  if (words.length === 1 && (word === '--version' || word === '-V')) return { exitCode: 0, text: `${version}\n` };
  const unknown = words.find((each) => each !== '--version' && each !== '-V') ?? word;
  return {
    exitCode: 1,
    text: `The service takes no argument such as ${JSON.stringify(unknown)}: it is configured by environment variables (--help).\n`,
  };
}
