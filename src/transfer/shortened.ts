/** Control characters and line separators that JSON does not escape. */
const unescaped = /[\u007f-\u009f\u2028\u2029]/g;

export function shortened(text: string): string {
  const characters = [...text.slice(0, 200)];
  const isLong = characters.length > 60;
  const quoted = JSON.stringify(isLong ? `${characters.slice(0, 59).join('')}…` : text);
  return quoted.replace(unescaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
