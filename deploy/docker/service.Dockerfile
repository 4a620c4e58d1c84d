# syntax=docker/dockerfile:1
# Any of the Rust programs: docker build -f deploy/docker/service.Dockerfile --build-arg SERVICE=checkout .

FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
# All programs in one go and before SERVICE is known: eight images share this one step.
ARG PROFILE=release
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo build --locked --workspace --bins --profile "$PROFILE" \
    && mkdir /out \
    && find "target/$PROFILE" -maxdepth 1 -type f -executable -exec cp {} /out/ \;

FROM debian:bookworm-slim
ARG SERVICE
# The sandbox and the certificates alone are written; a fresh volume takes the owner of the folder it covers.
RUN useradd --system --uid 10001 --no-create-home stillpoint \
    && install --directory --owner 10001 /var/lib/sandbox /certificates
COPY deploy/docker/ready /usr/local/bin/ready
COPY deploy/seed /usr/share/stillpoint/seed
COPY --from=build /out/${SERVICE} /usr/local/bin/service
ENV CHECKOUT_SEED_DIR=/usr/share/stillpoint/seed/campaigns \
    LOG_FORMAT=json \
    OPS_ADDR=0.0.0.0:9090
USER 10001
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=6 CMD ["ready"]
ENTRYPOINT ["service"]
