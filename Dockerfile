# One image for the six services, their jobs and the storefront; the command selects one. The stage `edge` is the load balancer.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
# Only the files of the lock file: the layer below is rebuilt when a dependency changes, not when the code does.
COPY package.json package-lock.json .npmrc ./
COPY packages/audit/package.json packages/audit/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/credentials/package.json packages/credentials/
COPY packages/facet-index/package.json packages/facet-index/
COPY packages/http/package.json packages/http/
COPY packages/jobs/package.json packages/jobs/
COPY packages/mail-templates/package.json packages/mail-templates/
COPY packages/messaging/package.json packages/messaging/
COPY packages/postgres/package.json packages/postgres/
COPY packages/service/package.json packages/service/
COPY packages/service-start/package.json packages/service-start/
COPY services/cart/package.json services/cart/
COPY services/catalog/package.json services/catalog/
COPY services/gateway/package.json services/gateway/
COPY services/identity/package.json services/identity/
COPY services/notifier/package.json services/notifier/
COPY services/orders/package.json services/orders/
COPY demo/package.json demo/
# The jobs need no other packages than the services: without the workspace `tools` there is no embedded PostgreSQL and no
# testcontainers, and without the root no second Node. tests/compose/image-packages.test.ts compares this with their imports.
RUN npm ci --omit=dev --ignore-scripts --include-workspace-root=false \
      --workspace=services/cart --workspace=services/catalog --workspace=services/gateway \
      --workspace=services/identity --workspace=services/notifier --workspace=services/orders \
      --workspace=packages/audit --workspace=packages/contracts --workspace=packages/credentials \
      --workspace=packages/facet-index --workspace=packages/http \
      --workspace=packages/jobs --workspace=packages/mail-templates --workspace=packages/messaging \
      --workspace=packages/postgres --workspace=packages/service --workspace=packages/service-start --workspace=demo \
 && npm cache clean --force


# The merchants' console, as files that the gateway serves, and the storefront, which needs no package beside it.
FROM node:24-bookworm-slim AS apps
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/console/package.json apps/console/
COPY apps/storefront/package.json apps/storefront/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
RUN npm ci --ignore-scripts --include-workspace-root=false \
      --workspace=apps/console --workspace=apps/storefront \
      --workspace=packages/client --workspace=packages/contracts
COPY tsconfig.json ./
COPY packages/client packages/client
COPY packages/contracts packages/contracts
COPY apps apps
RUN npm run build --workspace=apps/console --workspace=apps/storefront


# The health check of containers, which needs neither a shell nor another Node.
FROM node:24-bookworm-slim AS probe
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
COPY deploy/compose/probe.c /
RUN gcc -O2 -Wall -Wextra -Werror -static -o /probe /probe.c


FROM node:24-bookworm-slim AS runtime
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    MEDIA_DIR=/media \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    NODE_COMPILE_CACHE=/app/compile-cache
# A new volume gets the owner of the folder on which it is first mounted.
RUN mkdir -p /app/compile-cache /media /volumes/all /volumes/gateway /volumes/catalog /volumes/cart /volumes/orders \
      /volumes/identity /volumes/notifier /volumes/migrate /volumes/seed /volumes/postgres /volumes/redis /volumes/nats \
      /volumes/nats-data /volumes/nats-data-2 /volumes/nats-data-3 /volumes/doctor /volumes/grafana /volumes/observers /volumes/storefront \
 && chown -R node:node /app/compile-cache /media /volumes
COPY --from=dependencies /app ./
COPY --from=probe /probe /usr/local/bin/probe
COPY packages packages
COPY services services
COPY --from=apps /app/apps/console/dist apps/console/dist
COPY --from=apps /app/apps/storefront/dist apps/storefront/dist
COPY demo demo
COPY tools tools
USER node
# Each program loads its code and exits, because its configuration is missing or, with this key, not valid: the compile
# cache remains. The user and the flags must be those of the running program, or V8 compiles again.
RUN for program in services/gateway/src/main.ts services/catalog/src/main.ts services/cart/src/main.ts \
      services/orders/src/main.ts services/identity/src/main.ts services/notifier/src/main.ts \
      apps/storefront/dist/server/main.js; do \
      STOREFRONT_KEY=short node --disable-warning=ExperimentalWarning --max-semi-space-size=16 \
        --initial-old-space-size=112 --max-old-space-size=512 $program 2>/dev/null || true; \
    done
# Nothing after this needs a shell: an intruder finds no shell, interpreter, package manager or program that runs
# as another user (docs/decisions/0066). The programs that stay are named, for the commands of docs/operations.md.
USER root
RUN rm -rf /opt /usr/sbin /usr/lib/apt /usr/lib/dpkg /usr/local/lib/node_modules /usr/local/sbin \
 && find /usr/local/bin -mindepth 1 ! -name node ! -name probe -delete \
 && find /usr/bin -mindepth 1 ! -name cat ! -name grep ! -name tar -delete
USER node
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=6 CMD ["probe", "8080", "/readyz"]
# The flags are explained in tools/src/service-command.ts. The file has the values that `configure` generated; a variable of
# the container takes precedence.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=16", "--initial-old-space-size=112", \
            "--max-old-space-size=512", "--env-file-if-exists=/run/storefront/environment"]
CMD ["services/gateway/src/main.ts"]


FROM debian:bookworm-slim AS edge
RUN apt-get update \
 && apt-get install -y --no-install-recommends haproxy \
 && rm -rf /var/lib/apt/lists/*
COPY --from=probe /probe /usr/local/bin/probe
COPY deploy/compose/haproxy.cfg deploy/compose/observers.cfg /etc/haproxy/
RUN mv /usr/sbin/haproxy /usr/local/bin/haproxy \
 && rm -rf /usr/sbin /usr/lib/apt /usr/lib/dpkg \
 && find /usr/bin -mindepth 1 ! -name cat -delete
USER haproxy
EXPOSE 8080 9464
# HAProxy's signal to finish open requests.
STOPSIGNAL SIGUSR1
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["probe", "9464", "/healthz"]
ENTRYPOINT ["haproxy"]
CMD ["-W", "-db", "-f", "/etc/haproxy/haproxy.cfg"]
