// Loaded before all else: an older Node.js cannot link the other modules, and would say so by a stack.

const oldest = '20.19';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `Node.js ${process.versions.node} is too old: ${oldest} or newer is needed, from https://nodejs.org.\n`,
  );
  process.exit(1);
}
