# The service for operators with a PostgreSQL of their own: DATABASE_URL must be set.

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json codegen.ts prisma.config.ts schema.graphql ./
COPY prisma prisma
COPY src src
RUN npm run build

FROM node:20-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded PostgreSQL is an optional dependency: the image does without.
RUN npm ci --omit=dev --omit=optional

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json schema.graphql openapi.json ./
COPY prisma/migrations prisma/migrations
COPY public public
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals reach it, and it ends with what it has to say.
CMD ["node", "dist/main.js"]
