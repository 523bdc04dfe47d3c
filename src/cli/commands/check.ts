import { readPersistedOperations } from '@service/graphql-server/persisted-operations';
import { RawConnection } from '@service/postgres/sql';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { verifyEditions } from '../../academics/editions/editions.ts';
import { reservedKey } from '../../academics/rules/attributes.ts';
import { openJwtVerifier } from '../../accounts/jwt/open.ts';
import { dueSignIns } from '../../accounts/keys/sign-in-end.ts';
import { checkProvider } from '../../accounts/sessions/provider/open-provider.ts';
import type { Config } from '../../config.ts';
import { type CliContext, print, withUnmigratedPostgres } from '../cli-context.ts';
import { checkDatabase, type DataCheck } from '../database-checks.ts';
import { CommandFailure, messageFor } from '../errors.ts';
import { type Finding, findingOf } from '../finding.ts';

export function addCheckCommand(program: Command, context: CliContext): void {
  program
    .command('check')
    .description(
      'check configuration, tokens, sign-in, persisted operations, database, migrations, clock and notifications; exit code 1 when one fails',
    )
    .option('--editions', 'compare the bytes of all editions with their checksums, too')
    .action(async ({ editions = false }: { readonly editions?: boolean }, command: Command) => {
      const findings = await check(context, editions ? [...dataChecks, editionsOf] : dataChecks);
      print(context, findings, command.optsWithGlobals());
      const failed = findings.filter(({ result }) => result === 'failed').length;
      if (failed > 0) throw new CommandFailure(`${failed} of ${findings.length} checks failed.`);
    });
}

const editionsOf: DataCheck = async (client) => {
  const found = findingOf('editions', async () => {
    const verified = await verifyEditions(new RawConnection({ connection: client }));
    const damaged = verified.filter(({ intact }) => !intact).map(({ name }) => name);
    if (damaged.length === 0) return `all ${verified.length} have their checksums`;
    throw new CommandFailure(`the bytes of ${damaged.join(', ')} do not have the checksum`);
  });
  return [await found];
};

async function check(context: CliContext, ofData: readonly DataCheck[]): Promise<Finding[]> {
  const configuration = await findingOf('configuration', async () => {
    context.readConfig();
    return 'valid';
  });
  if (configuration.result === 'failed') return [configuration];
  const config = context.readConfig();
  const findings = [configuration];
  for (const each of [tokensOf, signInOf, operationsOf]) findings.push(...(await each(config)));
  try {
    await withUnmigratedPostgres(context, { creates: false }, async (postgres) => {
      findings.push(...(await checkDatabase(postgres, ofData, context.signal)));
    });
  } catch (problem) {
    context.signal.throwIfAborted();
    findings.push({ check: 'database', result: 'failed', detail: messageFor(problem) });
  }
  return findings;
}

/** A token that no key has signed: it makes the verifier look for keys. */
const unknownToken = [{ alg: 'RS256', kid: 'check' }, {}, {}]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** What the start says of tokens, if any are accepted. */
async function tokensOf(config: Config): Promise<Finding[]> {
  if (config.JWT_SECRET === undefined && config.JWT_JWKS_URL === undefined) return [];
  const warnings: string[] = [];
  const verifier = await openJwtVerifier({ ...config, warn: (message) => warnings.push(message) });
  await verifier.verify(unknownToken).catch(() => undefined);
  verifier.close();
  return [warningsOf('tokens', warnings, 'their keys are known')];
}

/** Whether people can sign in, if they are to. */
async function signInOf(config: Config): Promise<Finding[]> {
  const problems = await checkProvider(config);
  return problems === undefined ? [] : [warningsOf('sign-in', problems, 'the identity provider responds')];
}

function warningsOf(check: string, warnings: readonly string[], ok: string): Finding {
  return warnings.length === 0
    ? { check, result: 'ok', detail: ok }
    : { check, result: 'warning', detail: warnings.join(' ') };
}

/** The file of persisted operations, without which the service does not start. The schema is loaded for it alone. */
async function operationsOf({ GRAPHQL_PERSISTED_OPERATIONS_FILE: path }: Config): Promise<Finding[]> {
  if (path === undefined) return [];
  const finding = await findingOf('persisted operations', async () => {
    const { schema } = await import('../../doors/graphql/schema.ts');
    await readPersistedOperations({ path, setting: 'GRAPHQL_PERSISTED_OPERATIONS_FILE' }, schema);
    return 'the file is valid';
  });
  return [finding];
}

/** Warns of attributes with keys that are reserved. */
async function keysReserved(client: Client): Promise<Finding[]> {
  const keys = (table: string): string => `SELECT jsonb_object_keys(attributes) AS key FROM ${table}`;
  const { rows } = await client.query<{ key: string; records: string }>(
    `SELECT key, count(*) AS records FROM (${keys('programs')} UNION ALL ${keys('branches')}) AS used
     WHERE key ~ $1 GROUP BY key ORDER BY key LIMIT 10`,
    [reservedKey.source],
  );
  if (rows.length === 0) return [];
  const named = rows.map(({ key, records }) => `${key} (${records} records)`).join(', ');
  const detail = `keys that begin with name. or description. are reserved: those that records have stay, but none can be added: ${named}`;
  return [{ check: 'attributes', result: 'warning', detail }];
}

/** Warns of keys that end soon unless their people sign in at the identity provider. */
async function signInsDue(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; count: number }>(dueSignIns);
  if (rows.length === 0) return [];
  const named = rows.slice(0, 10).map(({ name, count }) => `${name} (${count})`);
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
  const detail = `keys end within 14 days unless their users sign in at the identity provider: ${named.join(', ')}${more}`;
  return [{ check: 'keys', result: 'warning', detail }];
}

/** Warns when half of the identifiers of a table are taken, by what was rolled back too: they have 31 bits. */
async function identifiersTaken(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ table: string; percent: number }>(
    `SELECT replace(sequencename, '_id_seq', '') AS table, floor(100.0 * last_value / max_value)::int AS percent
     FROM pg_sequences WHERE schemaname = 'public' AND 2 * last_value > max_value ORDER BY sequencename`,
  );
  const detail = rows.map(({ table, percent }) => `${percent} % of the identifiers of ${table} are taken`).join(', ');
  return detail === '' ? [] : [{ check: 'identifiers', result: 'warning', detail }];
}

const dataChecks: readonly DataCheck[] = [signInsDue, keysReserved, identifiersTaken];
