import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A command as a page shows it. */
export interface ShownCommand {
  readonly command: string;
  /** The output that the page shows; empty when it shows none. */
  readonly output: string;
}

/** The pages with commands for readers. */
export const pages: readonly string[] = [
  'README.md',
  ...filesIn('docs').filter((file) => file.endsWith('.md')),
  ...filesIn('examples').flatMap((folder) => filesIn(folder).filter((file) => path.basename(file) === 'README.md')),
];

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return folder === 'examples'
    ? entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name))
    : entries.map(({ name }) => path.join(folder, name));
}

/** The commands of a page: every line of a block of `sh`, with what continues it, and in a block of `console` what follows a `$`. */
export function commandsOf(page: string): ShownCommand[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(sh|console)\n(.*?)^```$/gms);
  return Array.from(blocks).flatMap(([, language, text = '']) =>
    language === 'sh' ? shownIn(text.replace(/(?<!\\\n)^(?=.)/gm, '$ ')) : shownIn(text),
  );
}

function shownIn(block: string): ShownCommand[] {
  const parts = block.replaceAll('\\\n', '\\\0').split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [first = '', ...output] = part.replaceAll('\\\0', '\\\n').split(/(?<!\\)\n/);
    return { command: withoutComment(first), output: output.join('\n').trim() };
  });
}

function withoutComment(command: string): string {
  return command.replace(/\s+# .*$/, '');
}
