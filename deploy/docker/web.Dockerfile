# syntax=docker/dockerfile:1
# The web renderer: docker build -f deploy/docker/web.Dockerfile .

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY gateway/schema.graphql ../gateway/schema.graphql
COPY web .
RUN npm run build

# The build is self-contained: no node_modules in the image.
FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /web
COPY --from=build /src/web/package.json ./
COPY --from=build /src/web/build build
USER 1000
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=6 \
    CMD ["node", "-e", "require('node:net').connect(process.env.PORT).on('connect', () => process.exit(0)).on('error', () => process.exit(1))"]
CMD ["node", "build/server/index.js"]
