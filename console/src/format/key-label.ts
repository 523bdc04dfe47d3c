import { textNamed } from '../language/language.ts';

/** Keys as keyboards of the language name them. */
export const keyLabel = (keys: string): string =>
  keys.replace(/Ctrl|Shift|Home|End|Enter/g, (name) => textNamed(`key.${name}`) ?? name);
