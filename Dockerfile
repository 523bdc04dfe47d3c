# The service for operators with a PostgreSQL of their own: DATABASE_URL must be set.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
RUN npm ci --workspace console --include-workspace-root
COPY tsconfig.json rolldown.config.js codegen.ts prisma.config.ts schema.graphql ./
COPY prisma prisma
COPY public public
COPY console console
COPY examples/university.csv examples/
COPY examples/dashboard/*.graphql examples/dashboard/
COPY src src
RUN npm run build && find dist -name '*.map' -delete

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded PostgreSQL is an optional dependency: the image does without. Prisma's compilers for other databases, its
# edge client, and what only developers read, take more than half of the tree.
RUN npm ci --workspaces=false --omit=dev --omit=optional \
  && find node_modules/@prisma/client/runtime \
    \( -name 'query_compiler_*' ! -name '*.postgresql.*' -o -name 'wasm-compiler-edge*' \) -delete \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Node.js alone: no npm, nothing that the service does not run.
FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Academic Structure Service" \
  org.opencontainers.image.description="Academic programs, their branches and years, over REST and GraphQL."
COPY --from=dependencies /usr/local/bin/node /usr/local/bin/node
RUN useradd --uid 1000 --no-create-home --shell /usr/sbin/nologin node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/console/dist console/dist
COPY package.json schema.graphql openapi.json ./
COPY docs docs
COPY prisma/migrations prisma/migrations
COPY public public
USER 1000
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm or a shell: signals reach it.
CMD ["node", "dist/main.js"]
