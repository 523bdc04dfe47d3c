import * as client from 'openid-client';
import { z } from 'zod';
import { SignInError } from '../sign-in-error.ts';

const refused = z.object({ error: z.string(), error_description: z.string().optional() });
const refusedIn = z.object({ parameters: refused });

/** Limits a text of the provider, which may have any length and lines. */
const bounded = (text: string): string => text.replace(/\p{C}+/gu, ' ').slice(0, 300);

const sentenceOf = ({ error, error_description: more }: z.output<typeof refused>): string =>
  bounded(more === undefined ? error : `${error}: ${more}`);

const waits = ['temporarily_unavailable', 'server_error'];
/** Codes of an authorization response after the user's own decision (OpenID Connect Core, 3.1.2.6). */
const byUser: Readonly<Record<string, SignInError['problem']>> = {
  access_denied: 'cancelled',
  login_required: 'failed',
  interaction_required: 'failed',
  consent_required: 'cancelled',
  account_selection_required: 'failed',
};

/** Whether the provider rejects how this service proves who it is (RFC 6749, 5.2). */
export const isInvalidClient = (problem: unknown): boolean =>
  problem instanceof client.ResponseBodyError
    ? problem.error === 'invalid_client'
    : problem instanceof client.WWWAuthenticateChallengeError && problem.status === 401;

export async function signInErrorOf(problem: unknown): Promise<SignInError> {
  if (problem instanceof SignInError) return problem;
  if (problem instanceof client.AuthorizationResponseError) {
    const { error } = problem;
    return new SignInError(waits.includes(error) ? 'away' : (byUser[error] ?? 'misconfigured'), sentenceOf(problem));
  }
  if (problem instanceof client.ResponseBodyError) {
    const { error, status } = problem;
    if (status >= 500 || waits.includes(error)) return new SignInError('away', sentenceOf(problem));
    // A code that was used, or is too old.
    return new SignInError(error === 'invalid_grant' ? 'failed' : 'misconfigured', sentenceOf(problem));
  }
  if (problem instanceof client.WWWAuthenticateChallengeError) {
    const body: unknown = await problem.response.json().catch(() => undefined);
    const said =
      refused.safeParse(body).data ?? problem.cause.map((each) => refusedIn.safeParse(each).data?.parameters)[0];
    return new SignInError('misconfigured', said === undefined ? `status ${problem.status}` : sentenceOf(said));
  }
  return errorOfConnection(problem) ?? new SignInError('misconfigured', causeOf(problem));
}

const failedFetch = z.object({ cause: z.object({ code: z.string() }) });

/** The provider does not respond, or responds that it cannot. */
export function errorOfConnection(problem: unknown): SignInError | undefined {
  if (problem instanceof client.ClientError) {
    if (problem.code === 'OAUTH_TIMEOUT') return new SignInError('away', 'it does not respond in time');
    const { cause } = problem;
    if (!(cause instanceof Response) || cause.status === 200) return undefined;
    return new SignInError(cause.status >= 500 ? 'away' : 'misconfigured', `it responds with ${cause.status}`);
  }
  if (!(problem instanceof TypeError) || problem.cause === undefined) return undefined;
  const code = failedFetch.safeParse(problem).data?.cause.code;
  return new SignInError('away', code === undefined ? 'it cannot be reached' : `it cannot be reached (${code})`);
}

/** The messages of these errors name claims and rules; values are in their causes. */
function causeOf(problem: unknown): string {
  if (!(problem instanceof client.ClientError)) return 'the response cannot be used';
  const { cause } = problem;
  if (problem.code === 'OAUTH_UNSUPPORTED_OPERATION' && /\bJWE/i.test(messageOf(cause))) return encrypted;
  return bounded(messageOf(cause) || problem.message);
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '');

const encrypted =
  'the provider encrypts ID tokens, which this service does not read: turn that off for its client there';
