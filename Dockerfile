# One static file in an otherwise empty image. COPY --from=ghcr.io/oomdoc/oomdoc /oomdoc /usr/local/bin/ puts it into
# another image; as an initContainer, "shim install DIR vllm" copies it into a volume. The context is a clone with its
# .git, from which the version is taken.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=true -ldflags="-s -w" -o /oomdoc ./cmd/oomdoc

FROM scratch
COPY --from=build /oomdoc /oomdoc
USER 65534:65534
ENTRYPOINT ["/oomdoc"]
