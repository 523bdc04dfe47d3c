import { cliCommand, isInstalled, startCommand, version } from './installation.ts';

interface Reply {
  readonly exitCode: 0 | 1;
  readonly text: string;
}

const help = `Usage: ${startCommand}

Starts the Academic Structure Service. It is configured by environment variables, also from a .env file
${isInstalled ? 'in the current directory' : 'beside package.json'}: see docs/configuration.md and the template .env.example.
To manage users, keys and data: ${cliCommand} --help

Options:
  -V, --version  print the version
  -h, --help     print this help
`;

/** Parses the command-line arguments; `undefined` when the service should start. */
export function replyTo(words: readonly string[]): Reply | undefined {
  const [word] = words;
  if (word === undefined) return undefined;
  if (words.some((each) => each === '--help' || each === '-h')) return { exitCode: 0, text: help };
  if (words.length === 1 && (word === '--version' || word === '-V')) return { exitCode: 0, text: `${version}\n` };
  const unknown = words.find((each) => each !== '--version' && each !== '-V') ?? word;
  return {
    exitCode: 1,
    text: `Unknown argument ${JSON.stringify(unknown)}: the service is configured by environment variables (see --help).\n`,
  };
}
