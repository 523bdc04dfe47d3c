import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

/** Files in PEM, which any user may read. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** What `openssl ca` needs to date a certificate back. */
const authority = `[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
copy_extensions = copy
policy = any
[any]
commonName = supplied
`;

/** Makes a certificate that is its own authority, until the test ends; the name is `DNS:name` or `IP:address`. */
export async function makeCertificate(name: string, validity: 'valid' | 'expired' = 'valid'): Promise<Certificate> {
  const directory = await mkdtemp(path.join(tmpdir(), 'certificate-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const [certificate, key] = [path.join(directory, 'certificate.pem'), path.join(directory, 'key.pem')];
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: directory });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  const whose = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`];
  if (validity === 'valid') await openssl('req', '-x509', ...curve, '-days', '2', ...whose, '-out', certificate);
  else {
    await writeFile(path.join(directory, 'authority.conf'), authority);
    await writeFile(path.join(directory, 'index'), '');
    await openssl('req', ...curve, ...whose, '-out', 'request.pem');
    const days = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
    const own = ['-selfsign', '-keyfile', key, '-in', 'request.pem', '-out', certificate];
    await openssl('ca', '-batch', '-notext', '-config', 'authority.conf', ...own, ...days);
  }
  for (const [file, mode] of [
    [directory, 0o755],
    [key, 0o644],
  ] as const) {
    await chmod(file, mode);
  }
  return { certificate, key };
}
