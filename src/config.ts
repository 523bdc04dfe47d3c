import { StartupError } from '@service/errors';
import { z } from 'zod';
import {
  address,
  databaseAddress,
  integer,
  origins,
  publicAddress,
  roleMap,
  tokenSecret,
  trueUnlessFalse,
  visibleAscii,
} from './config-values.ts';
import { misspelledVariables, withEnvironmentFile, withSecretFiles } from './environment-files.ts';
import { isWellFormedApiKey } from './validation/api-key-form.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The source of the parser, `docs/configuration.md` and `.env.example` (`docs/contract.md` 9). */
export const variables = {
  PORT: integer(0, 65_535).default(4000).meta({ description: 'Port to listen on; 0 picks a free one.' }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  DATABASE_URL: databaseAddress.optional().meta({
    description:
      'Your own PostgreSQL, 15 or newer; several hosts may be listed. Unset: an embedded PostgreSQL under DATA_DIR.',
  }),
  DATABASE_DIRECT_URL: databaseAddress.optional().meta({
    description:
      'Direct address of the same database when DATABASE_URL is a pooler (PgBouncer); used for migrations and LISTEN/NOTIFY.',
  }),
  DATABASE_POOL_SIZE: integer(1, 1_000).default(10).meta({
    description: 'Maximum size of the connection pool; up to sixteen more connections serve other purposes.',
  }),
  MIGRATE_ON_START: trueUnlessFalse.meta({
    description: 'Apply missing migrations at startup and before a command; if false, both exit when any is missing.',
  }),
  DATA_DIR: z.string().default('./data').meta({ description: 'Data directory of the embedded PostgreSQL.' }),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(visibleAscii, 'must be visible ASCII characters without spaces')
    .min(24, 'must be at least 24 characters long')
    .max(200, 'must be at most 200 characters long')
    .refine(isWellFormedApiKey, 'starts with uas_ but is not a valid generated key; was it truncated?')
    .optional()
    .meta({
      description:
        "The first administrator's API key, 24 to 200 visible ASCII characters. Unset: the first start generates one and prints it once.",
    }),
  JWT_SECRET: tokenSecret.optional().meta({
    description: 'Secret for JSON Web Tokens (JWT) signed with HS256, 32 bytes or more (`openssl rand -hex 32`).',
  }),
  JWT_JWKS_URL: address(['http:', 'https:'], 'must be an http or https address')
    .refine(
      (value) => new URL(value).username + new URL(value).password === '',
      'must not have a user or a password in it',
    )
    .optional()
    .meta({ description: 'URL of the JWKS with the public keys for tokens signed with RS256, ES256 or EdDSA.' }),
  JWT_ISSUER: z.string().optional().meta({ description: 'Required `iss` claim of tokens.' }),
  JWT_AUDIENCE: z.string().optional().meta({ description: 'Required `aud` claim of tokens.' }),
  JWT_ROLES_CLAIM: z.string().default('roles').meta({
    description:
      'Claim with the roles of a token or a sign-in, nested ones by path: `realm_access.roles`. A list, an object whose keys they are, or a text.',
  }),
  JWT_ROLE_MAP: roleMap.optional().meta({
    description:
      "Maps the identity provider's role names to ours, `staff=editor,it-admins=admin`; a comma in a name is written `\\,`. Unmapped names grant nothing. Unset: names are used as they are.",
  }),
  PUBLIC_URL: publicAddress.optional().meta({
    description:
      'Address of the service in browsers, such as `https://catalog.example.edu`; sign-in returns to it. With a path, the service is below it.',
  }),
  OIDC_ISSUER: z.string().optional().meta({
    description:
      'OpenID Connect issuer at which people sign in to the console. Unset: keys alone. Roles are those of JWT_ROLES_CLAIM and JWT_ROLE_MAP.',
  }),
  OIDC_CLIENT_ID: z.string().optional().meta({ description: 'Client id of this service at OIDC_ISSUER.' }),
  OIDC_CLIENT_SECRET: z.string().optional().meta({
    description: 'Client secret of this service at OIDC_ISSUER. Unset: a public client.',
  }),
  OIDC_SCOPES: z.string().default('openid profile email').meta({ description: 'Scopes to request, with spaces.' }),
  OIDC_NAME_CLAIM: z.string().optional().meta({
    description: 'Claim with the name of a user. Unset: `preferred_username`, else `email`, else `sub`.',
  }),
  OIDC_DEFAULT_ROLE: z.string().optional().meta({
    description:
      'Role at the first sign-in without a claim of roles, and of people whose claim gives none. Unset: they are not let in.',
  }),
  OWN_KEYS: trueUnlessFalse.meta({
    description: 'Whether all users may create API keys for themselves; administrators always may.',
  }),
  OWN_KEYS_SIGN_IN_DAYS: integer(0, 3_650).default(90).meta({
    description:
      'API keys that people of the identity provider make for themselves work for so many days after their last sign-in there; 0: without such an end.',
  }),
  AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000)
    .default(300)
    .meta({ description: 'Failed login attempts (invalid credentials) allowed per minute and client network.' }),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).optional().meta({
    description:
      'Rate limit: requests per minute for each user, with all their API keys, sessions and tokens; tokens that name no user share one. Unset: no limit.',
  }),
  CORS_ORIGINS: origins.optional().meta({ description: 'Origins allowed by CORS, comma-separated. Unset: none.' }),
  TRUSTED_PROXY_HOPS: integer(0, 10)
    .default(0)
    .meta({ description: 'Number of reverse proxies in front of the service whose X-Forwarded-For is trusted.' }),
  BODY_LIMIT_BYTES: integer(1_024, 10_485_760)
    .default(102_400)
    .meta({ description: 'Maximum size of a request body, in bytes.' }),
  RESPONSE_MAX_BYTES: integer(1_024, 1_073_741_824).default(8_388_608).meta({
    description:
      'Maximum size of a response of REST or GraphQL, and of an event of a subscription, in bytes; exports have none.',
  }),
  IMPORT_MAX_BYTES: integer(1_024, 1_073_741_824).default(52_428_800).meta({
    description:
      'Maximum size of a file to import over HTTP, in bytes; files that are being sent take at most three times as much memory.',
  }),
  RESPONSE_CACHE_MAX_BYTES: integer(0, 10_737_418_240)
    .default(33_554_432)
    .meta({ description: 'Maximum size of the response cache, in bytes; 0 disables it.' }),
  GRAPHQL_PERSISTED_OPERATIONS_FILE: z.string().optional().meta({
    description: 'JSON file of persisted operations (id → document). If set, /graphql executes only these.',
  }),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .meta({ description: 'Separate port for /metrics. Unset: /metrics is served on PORT.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['http:', 'https:'], 'must be an http or https address').optional().meta({
    description:
      'OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. Unset: no traces. Other standard OTEL_* variables are honoured.',
  }),
  STOP_NOTICE_MS: integer(0, 30_000).default(0).meta({
    description:
      'Time after SIGTERM during which requests are still served while /readyz is 503, for load balancers that do not retry (Kubernetes).',
  }),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .meta({ description: `Log level: one of ${logLevels.join(', ')}.` }),
  ENV_FILE: z.string().optional().meta({
    description:
      'File of variables; the environment takes precedence. Unset: .env beside package.json (of an installed package: in the current directory), if it exists.',
  }),
} satisfies Record<string, z.ZodType>;

/** Variables that may be read from a file instead: `NAME_FILE`. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'BOOTSTRAP_API_KEY',
  'JWT_SECRET',
  'OIDC_CLIENT_SECRET',
] as const;

const secretFileVariables = secretVariables.map((name) => `${name}_FILE`);

const environment = z.object(variables).refine(
  ({ PORT, METRICS_PORT }) => METRICS_PORT === undefined || METRICS_PORT === 0 || METRICS_PORT !== PORT,
  // Checks it when other variables are invalid too: all problems are reported together.
  { path: ['METRICS_PORT'], message: 'must be another port than PORT', when: () => true },
);

export type Config = z.output<typeof environment>;

/**
 * A blank variable counts as unset, as Compose files leave them.
 * @throws StartupError with one line for each invalid variable; no line repeats a value.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const nonBlank = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(nonBlank);
  if (parsed.success) return parsed.data;
  const problems = new Map<PropertyKey, Set<string>>();
  for (const issue of parsed.error.issues) {
    const variable = issue.path[0] ?? '';
    problems.set(variable, (problems.get(variable) ?? new Set()).add(messageOf(issue)));
  }
  const lines = Array.from(problems, ([variable, messages]) => `${String(variable)} ${[...messages].join(', ')}`);
  throw new StartupError(lines.join('\n'));
}

/** zod's own message for an enum repeats the value in some versions, so it is replaced. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message;
}

/** Returns a warning for each variable that is probably misspelled, without its value. */
export function configWarnings(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return misspelledVariables(Object.keys(env), [...Object.keys(variables), ...secretFileVariables]).map(
    ([given, meant]) => `${given} is not a variable of this service: is ${meant} meant?`,
  );
}

/** The only reader of `process.env`; the file's variables are added to it for OpenTelemetry and child processes. */
export function readConfig(): Config {
  Object.assign(process.env, withEnvironmentFile(process.env));
  // `process.env` stays without secrets: child processes read the files themselves.
  return parseConfig(withSecretFiles(process.env, secretVariables));
}

/** Returns the environment for a child process: this one's, with some variables replaced. */
export function environmentWith(replaced: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...replaced };
}
