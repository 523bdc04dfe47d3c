import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseConfig, secretVariables, variables } from '../../src/config.ts';

const root = path.join(import.meta.dirname, '..', '..');
const textOf = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8');
const knownVariables = [...Object.keys(variables), ...secretVariables.map((name) => `${name}_FILE`)];

const kustomization = z.object({
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([z.object({ name: z.string(), literals: z.array(z.string()) })]),
});
const container = z.object({
  command: z.array(z.string()).optional(),
  envFrom: z.tuple([z.object({ configMapRef: z.object({ name: z.string() }) })]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }).optional(),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }).optional(),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }).optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const workload = z.object({
  kind: z.enum(['Deployment', 'Job']),
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.int().optional(),
        securityContext: z.object({ runAsUser: z.int() }),
        containers: z.tuple([container]),
        volumes: z.array(z.object({ name: z.string(), secret: z.object({ secretName: z.string() }).optional() })),
      }),
    }),
  }),
});

async function configMapOfKubernetes(): Promise<{ name: string; values: Record<string, string> }> {
  const { configMapGenerator } = kustomization.parse(parse(await textOf('deploy/kubernetes/kustomization.yaml')));
  const [{ name, literals }] = configMapGenerator;
  return { name, values: Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2))) };
}

async function workloadOf(file: string): Promise<z.output<typeof workload>['spec']['template']['spec']> {
  return workload.parse(parse(await textOf(`deploy/kubernetes/${file}`))).spec.template.spec;
}

describe('deploy/kubernetes', () => {
  it('lists each of its files', async () => {
    const files = await readdir(path.join(root, 'deploy/kubernetes'));
    const { resources } = kustomization.parse(parse(await textOf('deploy/kubernetes/kustomization.yaml')));
    expect(resources.toSorted()).toEqual(files.filter((file) => file !== 'kustomization.yaml').toSorted());
    for (const file of resources) {
      const documents = parseAllDocuments(await textOf(`deploy/kubernetes/${file}`));
      expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    }
  });

  it('sets variables that the service knows, to valid values', async () => {
    const { values } = await configMapOfKubernetes();
    expect(Object.keys(values).filter((name) => !knownVariables.includes(name))).toEqual([]);
    expect(parseConfig(values)).toMatchObject({ MIGRATE_ON_START: false });
  });

  it.each(['deployment.yaml', 'migration.yaml'])(
    'runs as the user of the image, with the secrets where the variables expect them: %s',
    async (file) => {
      const { name, values } = await configMapOfKubernetes();
      const { securityContext, containers, volumes } = await workloadOf(file);
      const [{ envFrom, volumeMounts }] = containers;
      expect((await textOf('Dockerfile')).match(/^USER (\d+)$/m)?.[1]).toBe(String(securityContext.runAsUser));
      expect(envFrom[0].configMapRef.name).toBe(name);
      const secret = volumes.find((volume) => volume.secret !== undefined);
      const folder = volumeMounts.find((mount) => mount.name === secret?.name)?.mountPath;
      for (const [variable, value] of Object.entries(values)) {
        if (variable.endsWith('_FILE')) expect(value).toBe(`${folder}/${variable.replace('_FILE', '')}`);
      }
    },
  );

  it('leaves time for the notice and the graceful shutdown before a pod is killed', async () => {
    const { values } = await configMapOfKubernetes();
    const { terminationGracePeriodSeconds = 0 } = await workloadOf('deployment.yaml');
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(parseConfig(values).STOP_NOTICE_MS + 10_000);
  });

  it('probes the ports and addresses that the service has', async () => {
    const { values } = await configMapOfKubernetes();
    const [{ ports, startupProbe, readinessProbe, livenessProbe }] = (await workloadOf('deployment.yaml')).containers;
    const { PORT, METRICS_PORT } = parseConfig(values);
    expect(ports).toEqual([
      { name: 'http', containerPort: PORT },
      { name: 'metrics', containerPort: METRICS_PORT },
    ]);
    const probes = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
    expect(probes).toEqual(['/livez', '/readyz', '/livez'].map((address) => ({ path: address, port: 'http' })));
  });

  it('migrates by the command line of the image', async () => {
    const [{ command }] = (await workloadOf('migration.yaml')).containers;
    expect(command).toEqual(['node', 'dist/cli/main.js', 'migrate']);
  });
});

it('the nightly backup of deploy/kubernetes is made by the command line of the image, into its volume', async () => {
  const [job, claim] = parseAllDocuments(await textOf('deploy/kubernetes/backup.yaml'));
  const spec = ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
  const command = z.array(z.string()).parse(job?.toJS().spec.jobTemplate.spec.template.spec.containers[0].command);
  expect(command.at(-1)).toMatch(/^node dist\/cli\/main\.js backup "\/backups\//);
  expect(job?.getIn([...spec, 'volumes', 1, 'persistentVolumeClaim', 'claimName'])).toBe(
    claim?.getIn(['metadata', 'name']),
  );
});

describe('compose.yaml', () => {
  it('sets variables that the service knows, and builds one image for all instances', async () => {
    const services = z
      .record(
        z.string(),
        z.object({
          image: z.string(),
          build: z.string().optional(),
          environment: z.record(z.string(), z.string()).default({}),
        }),
      )
      .parse(parse(await textOf('compose.yaml'), { merge: true }).services);
    const instances = Object.entries(services).filter(([name]) => name.startsWith('service-'));
    expect(instances).toHaveLength(2);
    expect(new Set(instances.map(([, { image }]) => image)).size).toBe(1);
    expect(instances.filter(([, { build }]) => build !== undefined)).toHaveLength(1);
    for (const [, { environment }] of instances) {
      expect(Object.keys(environment).filter((name) => !knownVariables.includes(name))).toEqual([]);
    }
  });

  it('mounts the rules that Prometheus loads beside its configuration', async () => {
    const { volumes } = parse(await textOf('compose.yaml'), { merge: true }).services.prometheus;
    const { rule_files: rules } = parse(await textOf('deploy/prometheus.yaml'));
    const mounts = z.array(z.string()).parse(volumes);

    expect(mounts).toContain('./deploy/prometheus.yaml:/etc/prometheus/prometheus.yml:ro');
    for (const file of z.array(z.string()).parse(rules)) {
      expect(mounts).toContain(`./deploy/${file}:/etc/prometheus/${file}:ro`);
    }
  });
});
