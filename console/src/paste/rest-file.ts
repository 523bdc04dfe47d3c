import { tabStorage } from '../browser/storage.ts';
import { t } from '../language/language.ts';
import { type Block, writeBlock } from './block.ts';

const fileOfText = (text: string): File => new File([text], `${t('cells.pastedRows')}.tsv`);

/** A file of cells that were copied, whose first row names the columns. */
export const fileOf = (block: Block): File => fileOfText(writeBlock(block));

const offeredName = 'console-offered-rows';

/** Hands rows to the import, which opens with them, also when its screen comes only once the page is loaded again. */
export const offerRows = (block: Block): void => tabStorage.write(offeredName, writeBlock(block));

export function takeOfferedFile(): File | null {
  const text = tabStorage.read(offeredName);
  tabStorage.remove(offeredName);
  return text === null ? null : fileOfText(text);
}
