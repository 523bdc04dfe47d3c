# The service for operators with a PostgreSQL of their own: DATABASE_URL must be set.

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY packages packages
RUN npm ci
COPY build.js installed-packages.js tsconfig.json rolldown.config.js codegen.ts prisma.config.ts schema.graphql openapi.json ./
COPY prisma prisma
COPY docs docs
COPY site site
COPY console console
COPY examples examples
COPY licenses licenses
COPY src src
RUN npm run build && find dist console/dist \( -name '*.map' -o -name bundled-packages.json \) -delete

# Node.js alone, without npm. The build contains the packages that the service needs.
FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Academic Structure Service" \
  org.opencontainers.image.description="Academic programs, their branches and years, over REST and GraphQL."
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# `useradd` would write the day of the build.
RUN echo 'node:x:1000:1000::/nonexistent:/usr/sbin/nologin' >>/etc/passwd && echo 'node:x:1000:' >>/etc/group
# glibc returns what the start has freed, 15 MB.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/dist dist
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/site/dist site/dist
COPY --from=build /app/licenses/dist licenses/dist
COPY package.json ./
COPY prisma/migrations prisma/migrations
USER 1000
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm or a shell: signals reach it.
CMD ["node", "dist/main.js"]
