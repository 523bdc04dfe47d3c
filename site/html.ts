/** Escaped HTML. */
export interface Html {
  readonly markup: string;
}

type Value = Html | string | number | false | undefined | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Template tag: escapes text, keeps nested `Html`, and omits `false` and `undefined`. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.reduce((written, string, index) => written + rendered(values[index - 1]) + string);
  return { markup };
}

function rendered(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map(rendered).join('');
}
