import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isWellFormedApiKey } from './auth/api-key.ts';
import { readEnvironmentFile } from './environment-file.ts';
import { StartupError } from './errors.ts';
import { misspelledVariables } from './misspelled-variables.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const visibleAscii = /^[\x21-\x7e]+$/;

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);

const address = (protocols: readonly string[], message: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message,
    // What is asked of it beyond this may rely on its being a URL.
    abort: true,
  });

function isDecodable(value: string): boolean {
  try {
    return decodeURIComponent(value) !== '';
  } catch {
    return false;
  }
}

/**
 * PostgreSQL's addresses of sockets, such as `postgresql://user@/name?host=/run/postgresql`, have no host where a
 * URL must have one. The one in the query counts in any case.
 */
const withHost = (value: string): string => value.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost');

/** What libpq understands and `pg` does not: it would look for one host of that long name. */
const severalHosts =
  /^[a-z]+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&](?:host|hostaddr)=[^&]*(?:,|%2C)|[?&]target_session_attrs=/i;

const databaseAddress = z
  .string()
  .refine(isDecodable, 'must have every % of a name or password written as %25')
  .refine((value) => !severalHosts.test(value), {
    message: 'must name one host: let a name or a proxy such as haproxy lead to the primary',
    abort: true,
  })
  .transform(withHost)
  .pipe(address(['postgres:', 'postgresql:'], 'must be an address such as postgresql://user:password@host:5432/name'));

/** Origins as browsers write them: a scheme, a host, and a port unless it is the scheme's own. */
const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'must be origins such as https://dashboards.example.org, with commas between them',
  );

/**
 * Every variable of the environment, its default and its meaning: the one table that the parser,
 * the documentation and `.env.example` are made from (`docs/contract.md` 9).
 */
export const variables = {
  PORT: integer(0, 65_535).default(4000).meta({ description: 'Port to listen on; 0 picks a free one.' }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  DATABASE_URL: databaseAddress
    .optional()
    .meta({ description: 'A PostgreSQL of your own, 14 or newer. Unset: an embedded one under DATA_DIR.' }),
  DATABASE_DIRECT_URL: databaseAddress.optional().meta({
    description: 'The same database without the pooler that DATABASE_URL leads to, for migrations and notifications.',
  }),
  DATABASE_POOL_SIZE: integer(1, 1_000)
    .default(10)
    .meta({ description: 'Connections to the database, at most; three more are for quick reads and for changes.' }),
  MIGRATE_ON_START: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true')
    .meta({ description: 'Whether a start applies migrations; if false, it ends when some are missing.' }),
  DATA_DIR: z.string().default('./data').meta({ description: "The embedded PostgreSQL's files." }),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(visibleAscii, 'must be visible ASCII characters without spaces')
    .min(24, 'must be at least 24 characters long')
    .max(200, 'must be at most 200 characters long')
    .refine(isWellFormedApiKey, 'begins with uas_ but has not the form of a made key: was it copied whole?')
    .optional()
    .meta({
      description: "The first administrator's key. Unset: one is made at the first start and printed once.",
    }),
  JWT_SECRET: z.string().optional().meta({ description: 'Secret for tokens signed with HS256.' }),
  JWT_JWKS_URL: address(['http:', 'https:'], 'must be an http or https address')
    .refine(
      (value) => new URL(value).username + new URL(value).password === '',
      'must not have a user or a password in it',
    )
    .optional()
    .meta({ description: 'Where the public keys for tokens signed with RS256, ES256 or EdDSA are.' }),
  JWT_ISSUER: z.string().optional().meta({ description: 'The `iss` that a token must have.' }),
  JWT_AUDIENCE: z.string().optional().meta({ description: 'The `aud` that a token must have.' }),
  JWT_ROLES_CLAIM: z.string().default('roles').meta({ description: "The claim that names a token's roles." }),
  AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000)
    .default(300)
    .meta({ description: 'Invalid credentials that one address may send in a minute.' }),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)
    .optional()
    .meta({ description: 'Requests that one key, or one user with tokens, may send in a minute. Unset: any number.' }),
  CORS_ORIGINS: origins
    .optional()
    .meta({ description: 'Origins whose pages may ask from a browser, with commas between them. Unset: none.' }),
  TRUSTED_PROXY_HOPS: integer(0, 10)
    .default(0)
    .meta({ description: 'Proxies in front of the service whose X-Forwarded-For is believed.' }),
  BODY_LIMIT_BYTES: integer(1_024, 10_485_760)
    .default(102_400)
    .meta({ description: 'The largest request body, in bytes.' }),
  KEPT_RESULTS_BYTES: integer(0, 10_737_418_240)
    .default(33_554_432)
    .meta({ description: 'Memory for results that are kept while what they contain does not change; 0 keeps none.' }),
  GRAPHQL_STORED_OPERATIONS: z.string().optional().meta({
    description: 'A file of the only operations that /graphql carries out, as JSON by their ids. Unset: any operation.',
  }),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .meta({ description: 'A port of its own for /metrics. Unset: /metrics is on PORT.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['http:', 'https:'], 'must be an http or https address').optional().meta({
    description:
      'Where traces go, by OTLP over HTTP, such as `http://127.0.0.1:4318`. Unset: nowhere. Others of OpenTelemetry count too: docs/operation.md.',
  }),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .meta({ description: `One of ${logLevels.join(', ')}.` }),
  ENV_FILE: z.string().optional().meta({
    description: 'A file of variables, for those that are not set. Unset: .env beside package.json, if there is one.',
  }),
} satisfies Record<string, z.ZodType>;

const environment = z.object(variables).refine(
  ({ PORT, METRICS_PORT }) => METRICS_PORT === undefined || METRICS_PORT === 0 || METRICS_PORT !== PORT,
  // Even when other variables cannot be understood: all problems are reported together.
  { path: ['METRICS_PORT'], message: 'must be another port than PORT', when: () => true },
);

/** The configuration of a process: the environment, understood. */
export type Config = z.output<typeof environment>;

/**
 * Reads the configuration from environment variables. A blank variable counts as unset, as Compose
 * files leave them.
 *
 * @throws StartupError with one line for each variable that cannot be understood; no line repeats a value.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = new Map<PropertyKey, Set<string>>();
  for (const issue of parsed.error.issues) {
    const variable = issue.path[0] ?? '';
    problems.set(variable, (problems.get(variable) ?? new Set()).add(wording(issue)));
  }
  const lines = Array.from(problems, ([variable, words]) => `${String(variable)} ${[...words].join(', ')}`);
  throw new StartupError(lines.join('\n'));
}

/** The words of a problem; zod's own for an enum would repeat the value on some versions, so they are ours. */
function wording(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message;
}

/** Beside `package.json`, seen from `src` and from `dist` alike. */
export const defaultEnvironmentFile = fileURLToPath(new URL('../.env', import.meta.url));

/**
 * The environment with the variables of its file, `ENV_FILE` or `.env`; those that are set already, be it to nothing, stay.
 *
 * @throws StartupError when the file cannot be understood, or one that was asked for is not there.
 */
export function withEnvironmentFile(
  env: Readonly<Record<string, string | undefined>>,
  usualFile: string = defaultEnvironmentFile,
): Readonly<Record<string, string | undefined>> {
  const asked = env['ENV_FILE']?.trim();
  const variablesInFile = readEnvironmentFile(asked || usualFile);
  if (variablesInFile === undefined && asked) throw new StartupError(`ENV_FILE names ${asked}, which is not there.`);
  return { ...variablesInFile, ...env };
}

/** One sentence for each variable that is probably a misspelling of ours; none repeats a value. */
export function configWarnings(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return misspelledVariables(Object.keys(env), Object.keys(variables)).map(
    ([given, meant]) => `${given} is not a variable of this service: is ${meant} meant?`,
  );
}

/**
 * The configuration of this process. Here alone is `process.env` read; what the file adds becomes part of it, for OpenTelemetry
 * and for programs that are run.
 */
export function readConfig(): Config {
  Object.assign(process.env, withEnvironmentFile(process.env));
  return parseConfig(process.env);
}

/** The environment of this process with some of it replaced, for a program that it runs. */
export function environmentWith(replaced: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...replaced };
}
