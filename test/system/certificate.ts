import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

/** Files in PEM, which any user may read. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate that is its own authority, until the test ends; the name is `DNS:name` or `IP:address`. */
export async function makeCertificate(name: string): Promise<Certificate> {
  const directory = await mkdtemp(path.join(tmpdir(), 'certificate-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const [certificate, key] = [path.join(directory, 'certificate.pem'), path.join(directory, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const whose = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`];
  await promisify(execFile)('openssl', ['req', ...kind, ...whose, '-keyout', key, '-out', certificate]);
  for (const [file, mode] of [
    [directory, 0o755],
    [key, 0o644],
  ] as const) {
    await chmod(file, mode);
  }
  return { certificate, key };
}
