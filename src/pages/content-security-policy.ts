/** Same origin only; nothing inline, framed or submitted. */
const strict = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The policy of every page but GraphiQL. */
export const pagePolicy = policyOf(strict);

/** The policy of GraphiQL, whose editor uses inline styles, embedded fonts and workers. */
export const graphiqlPolicy = policyOf({
  ...strict,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': 'data:',
  'worker-src': "'self'",
});

function policyOf(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
