import type * as client from 'openid-client';
import { z } from 'zod';
import { SignInError } from '../sign-in-error.ts';
import { errorOfConnection } from './provider-errors.ts';

const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** @throws SignInError when metadata lack what a sign-in needs. */
export function checkMetadata(metadata: client.ServerMetadata): void {
  const missing = needed.filter((name) => typeof metadata[name] !== 'string');
  if (missing.length > 0) throw new SignInError('misconfigured', `its metadata have no ${missing.join(', ')}`);
}

/** A sentence with the cause, for the operator. */
export function discoveryError(problem: unknown, issuer: string): SignInError {
  const { problem: kind, message } = causeOf(problem, issuer);
  const sentence = `OIDC discovery failed at OIDC_ISSUER: ${message}. Sign-in is unavailable; API keys still work.`;
  return new SignInError(kind, sentence);
}

const otherIssuer = z.object({ cause: z.object({ body: z.object({ issuer: z.string() }) }) });
const withoutSlash = (address: string): string => address.replace(/\/$/, '');

function causeOf(problem: unknown, issuer: string): SignInError {
  if (problem instanceof SignInError) return problem;
  const failed = errorOfConnection(problem);
  if (failed !== undefined) return failed;
  const named = otherIssuer.safeParse(problem).data?.cause.body.issuer;
  if (named === undefined)
    return new SignInError('misconfigured', 'what it responds with is no OpenID Connect metadata');
  return new SignInError('misconfigured', differenceOf(named, issuer));
}

function differenceOf(named: string, issuer: string): string {
  if (withoutSlash(named) !== withoutSlash(issuer)) {
    return `the provider there calls itself ${named.slice(0, 200)}; set OIDC_ISSUER to that if it is the one meant`;
  }
  return named.endsWith('/')
    ? 'the issuer of the provider has a slash at its end, OIDC_ISSUER has none'
    : 'OIDC_ISSUER has a slash at its end, the issuer of the provider has none';
}
