import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Of Rolldown and of Vite: writes beside the bundle, as `bundled-packages.json`, the folders of the packages that it contains
 * code of. Each bundler adds code of its own.
 *
 * @returns {import('rolldown').Plugin}
 */
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
        const folders = [...new Set(modules.map(folderOf))].filter((folder) => folder !== undefined).sort();
        this.emitFile({ type: 'asset', fileName: 'bundled-packages.json', source: JSON.stringify(folders, null, 2) });
      },
    },
  };
}

/**
 * @param {string} module
 * @returns {string | undefined} for a module of ours, which is in no package
 */
function folderOf(module) {
  const [, bundler] = /^\0(rolldown|vite)\//.exec(module) ?? [];
  if (bundler !== undefined) return `node_modules/${bundler}`;
  const [folder] = packageFolder.exec(path.relative(root, module.replace('\0', '')).replaceAll('\\', '/')) ?? [];
  return folder;
}
