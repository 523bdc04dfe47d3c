import { lstat, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { EmbeddedPostgresError, hasCode } from './errors.ts';

/** A link to where an entry of a data directory is being moved; in the end it takes the entry's place. */
const linkFor = (entry: string): string => `${entry}.moved`;

/** Leaves a link; safe when killed or concurrent (`finishMove`). Throws `EmbeddedPostgresError` across file systems. */
export async function moveBehindLink(entry: string, target: string): Promise<void> {
  const link = linkFor(entry);
  await symlink(target, link).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  const agreed = await readlink(link).catch(() => target);
  try {
    if ((await lstat(entry)).isDirectory()) await rename(entry, agreed);
  } catch (error) {
    if (hasCode(error, 'EXDEV')) {
      await rm(link, { force: true });
      throw new EmbeddedPostgresError(
        `${entry} cannot be entered by PostgreSQL's user, nor moved to ${agreed}, which is on another file system: ` +
          `mv ${entry} ${agreed} && ln -s ${agreed} ${entry}.`,
      );
    }
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  await finishMove(entry);
}

/** Completes a move that was cut short, or that another process has begun. */
export async function finishMove(entry: string): Promise<void> {
  if (await isThere(entry)) return;
  const link = linkFor(entry);
  const target = await stat(link).catch(() => undefined);
  if (target === undefined) return;
  await rename(link, entry).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

async function isThere(entry: string): Promise<boolean> {
  return (await lstat(entry).catch(() => undefined)) !== undefined;
}
