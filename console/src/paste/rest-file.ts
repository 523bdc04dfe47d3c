import { t } from '../language/language.ts';
import { type Block, writeBlock } from './block.ts';

/** A file of cells that were copied, whose first row names the columns. */
export const fileOf = (block: Block): File => new File([writeBlock(block)], `${t('cells.pastedRows')}.tsv`);

let offered: File | null = null;

/** Hands a file to the import, which opens with it. */
export const offerFile = (file: File): void => {
  offered = file;
};

export function takeOfferedFile(): File | null {
  const file = offered;
  offered = null;
  return file;
}
