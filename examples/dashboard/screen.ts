import type { ChangesSubscription, ScreenQuery } from './generated/operations.ts';

const width = 78;
const bar = (count: number, max: number): string => '█'.repeat(Math.max(1, Math.round((count / max) * 24)));
const timeOf = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;

/** The width of a text in terminal columns; combining marks have none. */
function columnsOf(text: string): number {
  return text.replace(/\p{Mn}/gu, '').length;
}

function padded(text: string, columns: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const fitting = columnsOf(text) <= columns ? text : `${characters.slice(0, columns - 1).join('')}…`;
  return fitting + ' '.repeat(Math.max(0, columns - columnsOf(fitting)));
}

function section(title: string, lines: readonly string[]): string {
  return [`── ${title} ${'─'.repeat(width - title.length - 4)}`, ...(lines.length > 0 ? lines : ['(none)']), ''].join(
    '\n',
  );
}

/** The screen, as text. */
export function screen({
  catalogStats: stats,
  programsConnection: { nodes, pageInfo },
  recentPrograms,
  recentBranches,
}: ScreenQuery): string {
  const recent = [
    ...recentPrograms.nodes.map(({ name, updatedAt }) => ({ text: name, updatedAt })),
    ...recentBranches.nodes.map(({ name, updatedAt, program }) => ({ text: nameOf(name, program.name), updatedAt })),
  ];
  const max = Math.max(...stats.programsByDuration.map(({ count }) => count));
  return [
    `Programs ${stats.programs} · Branches ${stats.branches} · Years ${stats.years}\n`,
    section(
      'Programs by duration',
      stats.programsByDuration.map(
        ({ duration, count }) => `${padded(duration, 32)} ${String(count).padStart(4)} ${bar(count, max)}`,
      ),
    ),
    section(
      'Programs by name',
      nodes.flatMap(({ name, duration, branches }) => [
        `${padded(name, 52)} ${duration}`,
        ...branches.map(
          ({ name: branch, years }) => `    ${padded(branch, 48)} ${years.map(({ code }) => code).join(' ')}`,
        ),
      ]),
    ),
    section(
      'Changed last',
      recent
        .sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt))
        .slice(0, 5)
        .map(({ text, updatedAt }) => `${timeOf(updatedAt)}  ${text}`),
    ),
    pageInfo.hasNextPage ? `There is more: --after ${pageInfo.endCursor}\n` : '',
  ].join('\n');
}

/** A change, on one line. */
export function changeLine({ catalogChanged: { action, at, program, branch } }: ChangesSubscription): string {
  return `${timeOf(at)}  ${action.toLowerCase().padEnd(8)} ${nameOf(branch?.name, program?.name)}`;
}

function nameOf(branch: string | null | undefined, program = ''): string {
  return branch == null ? program : `${branch} (${program})`;
}
