// Prisma's command line requires, for `prisma dev` and `prisma studio`, packages that `overrides` in package.json leave out.
const { prototype } = require('node:module');

const { require: load } = prototype;
/** @this {NodeJS.Module} @param {string} id */
prototype.require = function requireUsed(id) {
  return /^@prisma\/(dev|studio-core)\//.test(id) ? {} : load.call(this, id);
};
