/** What must not be in a line of output as it is; JSON escapes most of it, but not these. */
const unseen = /[\u007f-\u009f\u2028\u2029]/g;

/** A text of a file in quotes, as it can stand in a line of output. */
export function shortened(text: string): string {
  const characters = [...text.slice(0, 200)];
  const isLong = characters.length > 60;
  const quoted = JSON.stringify(isLong ? `${characters.slice(0, 59).join('')}…` : text);
  return quoted.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
