import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished, vi } from 'vitest';

/** nginx as `deploy/nginx.conf` configures it, in front of instances on this machine. */
export interface Proxy {
  readonly url: string;
  /** The upstream ports and statuses of each request so far. */
  requests(): Promise<readonly { readonly ports: readonly number[]; readonly statuses: readonly string[] }[]>;
}

const configuration = path.join(import.meta.dirname, '..', '..', '..', 'deploy', 'nginx.conf');
const environment = { PATH: `${inject('searchPath')}:/usr/sbin` };

/** Starts nginx until the test ends, with the deployed file: only addresses and paths are replaced. */
export async function startProxy(
  port: number,
  instances: readonly [number, number],
  change: (configuration: string) => string = (text) => text,
): Promise<Proxy> {
  const directory = await mkdtemp(path.join(tmpdir(), 'nginx-'));
  // As root, nginx works as another user.
  await chmod(directory, 0o755);
  const log = path.join(directory, 'access.log');
  const file = path.join(directory, 'nginx.conf');
  await writeFile(file, change(substitute(await readFile(configuration, 'utf8'), { port, instances, directory, log })));
  const globals = [
    '-p',
    directory,
    '-c',
    file,
    '-g',
    `daemon off; pid ${directory}/pid; error_log ${directory}/error.log;`,
  ];
  await once(spawn('nginx', [...globals, '-t'], { env: environment, stdio: 'ignore' }), 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`nginx -t rejects deploy/nginx.conf: exit code ${code}.`);
  });
  const nginx = spawn('nginx', globals, { env: environment, stdio: 'inherit' });
  const ended = once(nginx, 'exit');
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(url), 5_000);
  return {
    url,
    requests: async () =>
      (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => {
          const [addresses = '', statuses = ''] = line.split('|');
          return {
            ports: addresses.split(', ').map((address) => Number(address.split(':')[1])),
            statuses: statuses.split(', '),
          };
        }),
  };
}

interface Substitutions {
  readonly port: number;
  readonly instances: readonly [number, number];
  readonly directory: string;
  readonly log: string;
}

function substitute(text: string, { port, instances, directory, log }: Substitutions): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n');
  const [first, second] = instances;
  return [
    // Debian's nginx is older than `resolve`, which addresses do not need.
    ['service-1:4000 resolve', `127.0.0.1:${first}`],
    ['service-2:4000 resolve', `127.0.0.1:${second}`],
    ['listen 4000;', `listen 127.0.0.1:${port};`],
    [
      'http {',
      `http {\n${temporary}\nlog_format upstreams '$upstream_addr|$upstream_status';\naccess_log ${log} upstreams;`,
    ],
  ].reduce((rest, [from = '', to = '']) => {
    if (!rest.includes(from)) throw new Error(`There is no "${from}" in deploy/nginx.conf.`);
    return rest.replace(from, to);
  }, text);
}
