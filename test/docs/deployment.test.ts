import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseConfig, secretVariables, variables } from '../../src/config.ts';
import { objectsIn, render } from './kustomize.ts';

const textOf = (name: string): string => readFileSync(name, 'utf8');
const knownVariables = [...Object.keys(variables), ...secretVariables.map((name) => `${name}_FILE`)];
const texts = z.record(z.string(), z.string());

const rendered = render();
const resourceOf = (kind: string): Readonly<Record<string, unknown>> =>
  rendered.find((resource) => resource.kind === kind) ?? {};
/** All objects under a key, such as each `template`, with where they are. */
const partsAt = (key: RegExp) =>
  rendered.flatMap(({ kind, spec }) => objectsIn(spec, [kind]).filter(({ at }) => key.test(at)));
const configMap = z.object({ metadata: z.object({ name: z.string() }), data: texts }).parse(resourceOf('ConfigMap'));
const values = configMap.data;
const { PORT, METRICS_PORT, STOP_NOTICE_MS, MIGRATE_ON_START } = parseConfig(values);

describe('deploy/kubernetes', () => {
  it('has each of its files, and sets variables that the service knows', () => {
    const files = readdirSync('deploy/kubernetes').filter((file) => file !== 'kustomization.yaml');
    expect(parse(textOf('deploy/kubernetes/kustomization.yaml')).resources.toSorted()).toEqual(files.toSorted());
    expect(Object.keys(values).filter((name) => !knownVariables.includes(name))).toEqual([]);
    expect(MIGRATE_ON_START).toBe(false);
  });

  it('runs and probes the image as it is, with its secrets where the variables expect them', () => {
    const [, user] = textOf('Dockerfile').match(/^USER (\d+)$/m) ?? [];
    const [folder = '', ...folders] = new Set(
      Object.entries(values)
        .filter(([name]) => name.endsWith('_FILE'))
        .map(([name, file]) => file.replace(`/${name.replace('_FILE', '')}`, '')),
    );
    expect(folders).toEqual([]);
    const pod = (container: object, others: object = {}) => ({
      spec: {
        securityContext: { runAsUser: Number(user) },
        containers: [{ envFrom: [{ configMapRef: { name: configMap.metadata.name } }], ...container }],
        volumes: expect.arrayContaining([expect.objectContaining({ secret: expect.anything() })]),
        ...others,
      },
    });
    const [probe, alive] = ['/readyz', '/livez'].map((path) => ({ httpGet: { path, port: 'http' } }));
    const service = {
      ports: [
        { name: 'http', containerPort: PORT },
        { name: 'metrics', containerPort: METRICS_PORT },
      ],
      startupProbe: alive,
      readinessProbe: probe,
      livenessProbe: alive,
      volumeMounts: expect.arrayContaining([expect.objectContaining({ mountPath: folder })]),
    };
    expect(resourceOf('Deployment')).toMatchObject({ spec: { template: pod(service) } });
    const migrates = { command: ['node', 'dist/cli/main.js', 'migrate'], volumeMounts: service.volumeMounts };
    expect(resourceOf('Job')).toMatchObject({ spec: { template: pod(migrates) } });
  });

  it('gets no variables from services of its namespace: one named metrics would set METRICS_PORT', () => {
    const pods = partsAt(/\.template\.spec$/);
    expect(pods.map(({ object }) => object['enableServiceLinks'])).toEqual([false, false, false]);
  });

  it('leaves time for the notice and the graceful shutdown before a pod is killed', () => {
    const [spec] = partsAt(/^Deployment\.template\.spec$/);
    expect(Number(spec?.object['terminationGracePeriodSeconds']) * 1_000).toBeGreaterThan(STOP_NOTICE_MS + 10_000);
  });

  it('backs up into a volume each night, ends a backup that hangs, and makes up for a night that was missed', () => {
    const { name } = z
      .object({ metadata: z.object({ name: z.string() }) })
      .parse(resourceOf('PersistentVolumeClaim')).metadata;
    const command = [expect.anything(), '-c', expect.stringMatching(/^node dist\/cli\/main\.js backup "\/backups\//)];
    expect(resourceOf('CronJob')['spec']).toMatchObject({
      startingDeadlineSeconds: expect.any(Number),
      jobTemplate: { spec: { activeDeadlineSeconds: expect.any(Number) } },
    });
    const [spec] = partsAt(/^CronJob\.jobTemplate\.spec\.template\.spec$/);
    expect(spec?.object).toMatchObject({
      containers: [{ command }],
      volumes: expect.arrayContaining([{ name: expect.anything(), persistentVolumeClaim: { claimName: name } }]),
    });
  });

  it('labels each object and each pod, and selects its own pods wherever it selects any, but for Prometheus', () => {
    const labelsOf = (object: unknown) =>
      z.object({ metadata: z.object({ labels: texts }) }).parse(object).metadata.labels;
    const pods = partsAt(/(?:^|\.)template$/).map(({ object }) => labelsOf(object));
    const name = { 'app.kubernetes.io/name': 'academic-structure-service' };
    for (const labels of [...pods, ...rendered.map(labelsOf)]) expect(labels).toMatchObject(name);
    const selectors = partsAt(/\.(?:selector|podSelector|labelSelector)(?:\.matchLabels)?$/).flatMap(
      ({ at, object }) => {
        const found = texts.safeParse(object);
        return found.success ? [{ isOfPeer: /\.(?:from|to)\./.test(at), wanted: found.data }] : [];
      },
    );
    const own = selectors.filter(({ isOfPeer }) => !isOfPeer);
    expect(own.length).toBeGreaterThanOrEqual(6);
    for (const { wanted } of own) expect(pods).toContainEqual(expect.objectContaining(wanted));
    expect(selectors.filter(({ isOfPeer }) => isOfPeer)).toEqual([
      { isOfPeer: true, wanted: { 'app.kubernetes.io/name': 'prometheus' } },
    ]);
    const images = rendered.flatMap(({ spec }) => objectsIn(spec).flatMap(({ object }) => object['image'] ?? []));
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/^\S+:\d+\.\d+\.\d+$/);
  });
});

describe('compose.yaml', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true });

  it('sets variables that the service knows, and builds one image for all instances', () => {
    const service = z.object({ image: z.string(), build: z.string().optional(), environment: texts.default({}) });
    const instances = Object.entries(z.record(z.string(), z.looseObject({})).parse(compose.services))
      .filter(([name]) => name.startsWith('service-'))
      .map(([, instance]) => service.parse(instance));
    expect(instances).toHaveLength(2);
    expect(new Set(instances.map(({ image }) => image)).size).toBe(1);
    expect(instances.filter(({ build }) => build !== undefined)).toHaveLength(1);
    const set = instances.flatMap(({ environment }) => Object.keys(environment));
    expect(set.filter((name) => !knownVariables.includes(name))).toEqual([]);
  });

  it('mounts the rules that Prometheus loads beside its configuration', () => {
    const rules = z.array(z.string()).parse(parse(textOf('deploy/prometheus.yaml')).rule_files);
    const mounts = rules.map((file) => `./deploy/${file}:/etc/prometheus/${file}:ro`);
    expect(compose.services.prometheus.volumes).toEqual(
      expect.arrayContaining(['./deploy/prometheus.yaml:/etc/prometheus/prometheus.yml:ro', ...mounts]),
    );
  });
});
