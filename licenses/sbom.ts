import licences from 'spdx-license-list/full.js';
import type { Part } from './parts.ts';

/** The vendors under which vulnerabilities of what is no package are published (CPE). */
const vendors: Readonly<Record<string, string>> = {
  postgresql: 'postgresql:postgresql',
  openssl: 'openssl:openssl',
  icu: 'icu-project:international_components_for_unicode',
  zlib: 'zlib:zlib',
  libxml2: 'xmlsoft:libxml2',
  libxslt: 'xmlsoft:libxslt',
  xz: 'tukaani:xz',
};

/**
 * The bill of materials in the format CycloneDX 1.5, which older scanners read too. It has no time and no random number: equal
 * builds have equal ones.
 */
export function billOfMaterials(service: { name: string; version: string }, parts: readonly Part[]): object {
  const own = `pkg:generic/${service.name}@${service.version}`;
  const containers = parts.filter(({ contains }) => contains.length > 0);
  const inside = new Set(containers.flatMap(({ contains }) => contains.map(addressOf)));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': own, type: 'application', ...service, purl: own } },
    components: parts.map(componentOf),
    dependencies: [
      { ref: own, dependsOn: parts.map(addressOf).filter((address) => !inside.has(address)) },
      ...containers.map((part) => ({ ref: addressOf(part), dependsOn: [...new Set(part.contains.map(addressOf))] })),
    ],
  };
}

function componentOf(part: Part): object {
  const { name, licence, version = '' } = part;
  const vendor = part.kind === 'generic' ? vendors[part.name] : undefined;
  return {
    'bom-ref': addressOf(part),
    type: 'library',
    // With its scope, as npm writes it: some scanners lose one that is apart.
    name,
    ...(version === '' ? {} : { version }),
    licenses: [
      licence.includes(' ') && licence !== 'public domain' ? { expression: licence } : { license: named(licence) },
    ],
    ...(vendor === undefined ? {} : { cpe: `cpe:2.3:a:${vendor}:${version}:*:*:*:*:*:*:*` }),
    purl: addressOf(part),
    properties: part.places.map((value) => ({ name: 'academic-structure-service:place', value })),
  };
}

const named = (licence: string): object => (licence in licences ? { id: licence } : { name: licence });

/** The address of a package (purl): `pkg:npm/%40scope/name@1.0.0`. */
function addressOf({ kind, name, version }: Part): string {
  return `pkg:${kind}/${name.replace('@', '%40')}${version === undefined ? '' : `@${version}`}`;
}
