import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const folder = 'deploy/kubernetes';
const texts = z.record(z.string(), z.string());

/** What our kustomization uses of kustomize; a key beyond these has no rendering here, and fails. */
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  labels: z.tuple([z.strictObject({ pairs: texts, includeTemplates: z.literal(true) })]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
  configMapGenerator: z.tuple([z.strictObject({ name: z.string(), literals: z.array(z.string()) })]),
  resources: z.array(z.string()),
});

/** Any object of Kubernetes. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

const resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: texts.exactOptional() }),
});

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in a value, with the path of its keys. */
export function objectsIn(
  value: unknown,
  at: readonly string[] = [],
): { readonly at: string; readonly object: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, at));
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => objectsIn(one, [...at, key]));
  return [{ at: at.join('.'), object: value }, ...inner];
}

/** A copy in which each object has what `change` returns for it. */
function mapped(value: unknown, change: (object: Json, key: string) => Json, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, key));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, one]) => [name, mapped(one, change, name)]);
  return change(Object.fromEntries(inner), key);
}

/** As `kubectl kustomize deploy/kubernetes`, but that the ConfigMap has no hash in its name. */
export function render(): Resource[] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const { namespace, labels, images, configMapGenerator, resources } = kustomization.parse(
    parse(read('kustomization.yaml')),
  );
  const [{ pairs }] = labels;
  const [{ name, literals }] = configMapGenerator;
  const data = Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2)));
  const labelled = (metadata: unknown): Json => {
    const { labels: own, ...rest }: Json = isObject(metadata) ? metadata : {};
    return { ...rest, labels: { ...(isObject(own) ? own : {}), ...pairs } };
  };
  const change = (object: Json, key: string): Json => {
    const image = images.find((one) => one.name === object['image']);
    return {
      ...object,
      ...(key.toLowerCase().endsWith('template') && { metadata: labelled(object['metadata']) }),
      ...(image !== undefined && { image: `${image.newName}:${image.newTag}` }),
    };
  };
  const written = resources.flatMap((file) =>
    parseAllDocuments(read(file), { version: '1.1' }).map((one): unknown => one.toJS()),
  );
  return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }, ...written].map((one) => {
    const given = resource.parse(mapped(one, change));
    return {
      ...given,
      metadata: { ...given.metadata, ...z.object({ labels: texts }).parse(labelled(given.metadata)), namespace },
    };
  });
}
