/** Nothing from anywhere but here, nothing inline, nothing framed, nothing submitted. */
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

/** What our own pages may do. */
export const pagePolicy = policyOf(strict);

/** What GraphiQL may do besides: its editor writes styles of its own, has fonts inside them and works in workers. */
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
