import { Argument, type Command } from 'commander';
import type { CliContext } from './cli-context.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The name of the program when the package is installed. */
const defaultName = 'academic-structure-service-cli';

/** Adds the command `completion`, for all commands that the program has by then. */
export function addCompletionCommand(program: Command, { stdout }: CliContext): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .option('--name <command>', 'name of the command to complete, such as an alias of `npm run -s cli --`', defaultName)
    .action((shell: Shell, { name }: { name: string }, command: Command) => {
      if (!/^[A-Za-z][\w-]*$/.test(name)) command.error('error: --name must be a command name');
      stdout.write(scripts[shell](name, contextsOf(program)));
    });
}

/** What can follow the commands of a path, such as `keys create`. */
interface Completion {
  readonly path: string;
  readonly words: readonly string[];
}

function contextsOf(command: Command, path: readonly string[] = []): Completion[] {
  const words = [
    ...command.commands.map((child) => child.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...command.options.flatMap(({ long, argChoices }) => [long ?? [], argChoices ?? []].flat()),
    '--json',
    '--no-json',
    '--help',
  ];
  return [
    { path: path.join(' '), words: [...new Set(words)] },
    ...command.commands.flatMap((child) => contextsOf(child, [...path, child.name()])),
  ];
}

const functionOf = (name: string): string => `_${name.replaceAll('-', '_')}`;

/** The branches of a `case` that extends a path by a known command. */
const steps = (completions: readonly Completion[]): string =>
  completions
    .filter(({ path }) => path !== '')
    .map(({ path }) => `"${path}"`)
    .join('|');

/** The branches of a `case` that has the words for each path. */
const cases = (completions: readonly Completion[]): string =>
  completions.map(({ path, words }) => `    "${path}") candidates="${words.join(' ')}" ;;`).join('\n');

/** Sets `candidates` to what may follow `words`, an array expansion; written alike in bash and zsh. */
const findCandidates = (
  words: string,
  completions: readonly Completion[],
): string => `  local given="" word candidates=""
  for word in "\${${words}}"; do
    case "\${given:+$given }$word" in
      ${steps(completions)}) given="\${given:+$given }$word" ;;
    esac
  done
  case "$given" in
${cases(completions)}
  esac`;

const scripts: Readonly<Record<Shell, (name: string, completions: readonly Completion[]) => string>> = {
  bash: (name, completions) => `${functionOf(name)}() {
${findCandidates('COMP_WORDS[@]:1:COMP_CWORD-1', completions)}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionOf(name)} ${name}
`,
  zsh: (name, completions) => `#compdef ${name}
${functionOf(name)}() {
${findCandidates('words[@]:1:$((CURRENT - 2))', completions)}
  compadd -- \${=candidates} || _files
}
compdef ${functionOf(name)} ${name}
`,
  fish: (name, completions) => `function _${functionOf(name)}_given
  set -l given
  for word in (commandline -opc)[2..]
    switch (string join ' ' $given $word)
      case ${steps(completions).replaceAll('|', ' ')}
        set -a given $word
    end
  end
  string join ' ' $given
end
${completions
  .map(
    ({ path, words }) =>
      `complete -c ${name} -n 'test "$(_${functionOf(name)}_given)" = "${path}"' -a '${words.join(' ')}'`,
  )
  .join('\n')}
`,
};
