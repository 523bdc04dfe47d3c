import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { objectsIn, render } from './kustomize.ts';

const labels = z.record(z.string(), z.string());
const rendered = render();
/** Paths of selectors: of our own pods, but for `from` and `to`, which are of peers. */
const selector = /(?:^|\.)(?:selector|podSelector|labelSelector)(?:\.matchLabels)?$/;
const selectors = rendered.flatMap(({ kind, metadata, spec }) =>
  objectsIn(spec, ['spec']).flatMap(({ at, object }) => {
    const found = labels.safeParse(object);
    return selector.test(at) && found.success ? [{ at: `${kind} ${metadata.name} ${at}`, wanted: found.data }] : [];
  }),
);
const isOfPeer = ({ at }: { at: string }): boolean => /\.(?:from|to)\./.test(at);
const pods = rendered.flatMap(({ spec }) =>
  objectsIn(spec).flatMap(({ at, object }) => {
    if (!/(?:^|\.)template$/.test(at)) return [];
    return [z.object({ metadata: z.object({ labels }) }).parse(object).metadata.labels];
  }),
);
const selects = (wanted: Readonly<Record<string, string>>, pod: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([name, value]) => pod[name] === value);

describe('deploy/kubernetes, rendered', () => {
  it('selects its own pods wherever it selects any', () => {
    const own = selectors.filter((one) => !isOfPeer(one));
    expect(own.length).toBeGreaterThanOrEqual(6);
    expect(own.filter(({ wanted }) => !pods.some((pod) => selects(wanted, pod)))).toEqual([]);
  });

  it('lets Prometheus read metrics, whatever else has the labels of this service', () => {
    const peers = selectors.filter(isOfPeer).map(({ wanted }) => wanted);
    expect(peers).toEqual([{ 'app.kubernetes.io/name': 'prometheus' }]);
  });

  it('labels each object and each pod, and no image is without a tag', () => {
    const name = { 'app.kubernetes.io/name': 'academic-structure-service' };
    expect([...pods, ...rendered.map(({ metadata }) => metadata.labels)]).toEqual(
      Array.from({ length: pods.length + rendered.length }, () => expect.objectContaining(name)),
    );
    const images = rendered.flatMap(({ spec }) => objectsIn(spec).flatMap(({ object }) => object['image'] ?? []));
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/^\S+:\d+\.\d+\.\d+$/);
  });

  it('ends a backup that hangs, and makes up for a night that was missed', () => {
    const job = rendered.find(({ kind }) => kind === 'CronJob')?.['spec'];
    expect(job).toMatchObject({
      startingDeadlineSeconds: expect.any(Number),
      jobTemplate: { spec: { activeDeadlineSeconds: expect.any(Number) } },
    });
  });
});
