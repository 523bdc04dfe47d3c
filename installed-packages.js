import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ os?: string[], cpu?: string[], optionalDependencies?: Record<string, string> }} Locked
 */

/**
 * The packages with programs for this platform that the installation has left out: npm ignores an optional package that
 * does not arrive, and says nothing. Where several would do, as for two C libraries, one of them is enough.
 *
 * @returns {string[]}
 */
export function missingPackages() {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  /** @param {string} folder @param {string} name where it is for the package in this folder: its own, or the one at the top */
  const placeOf = (folder, name) =>
    [`${folder}/node_modules/${name}`, `node_modules/${name}`].find((at) => at in packages);
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) => {
    if (!existsSync(folder || '.')) return [];
    const places = Object.keys(optionalDependencies).flatMap((name) => placeOf(folder, name) ?? []);
    const fitting = places.filter((place) => {
      const { os, cpu } = packages[place] ?? {};
      return os?.includes(process.platform) && cpu?.includes(process.arch);
    });
    if (fitting.length === 0 || fitting.some((place) => existsSync(place))) return [];
    return [fitting.map((place) => place.replace(/^.*node_modules\//, '')).join(' or ')];
  });
}
