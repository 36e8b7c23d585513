-- +goose Up
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE tenants (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    settings   TEXT NOT NULL,
    disabled   BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id         TEXT PRIMARY KEY,
    tenant_id  TEXT NOT NULL REFERENCES tenants (id),
    name       TEXT NOT NULL,
    role       TEXT NOT NULL,
    hint       TEXT NOT NULL,
    sum        TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used  BIGINT
);
CREATE INDEX api_keys_tenant ON api_keys (tenant_id, id);

CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    tenant_id   TEXT NOT NULL REFERENCES tenants (id),
    key_id      TEXT NOT NULL,
    alias       TEXT NOT NULL,
    status      TEXT NOT NULL,
    threshold   DOUBLE PRECISION NOT NULL,
    model       TEXT NOT NULL,
    metrics     BIGINT NOT NULL,
    total       BIGINT NOT NULL,
    revision    TEXT NOT NULL,
    attempts    BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    started_at  BIGINT,
    finished_at BIGINT,
    cancel_at   BIGINT
);
CREATE UNIQUE INDEX runs_alias ON runs (tenant_id, alias) WHERE alias <> '';
CREATE INDEX runs_tenant ON runs (tenant_id, id);
CREATE INDEX runs_open ON runs (status, id);

CREATE TABLE run_specs (
    run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    spec   TEXT NOT NULL
);

CREATE TABLE results (
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position         BIGINT NOT NULL,
    arrival          BIGINT NOT NULL,
    id               TEXT NOT NULL,
    tenant_id        TEXT NOT NULL,
    record_index     BIGINT NOT NULL,
    record_id        TEXT NOT NULL,
    metric_key       TEXT NOT NULL,
    status           TEXT NOT NULL,
    score            DOUBLE PRECISION,
    passed           BIGINT,
    input_tokens     BIGINT NOT NULL,
    output_tokens    BIGINT NOT NULL,
    cached_tokens    BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    model_calls      BIGINT NOT NULL,
    cost_pico        BIGINT NOT NULL,
    unpriced         BIGINT NOT NULL,
    body             TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);
CREATE UNIQUE INDEX results_arrival ON results (run_id, arrival);

CREATE TABLE idempotency (
    tenant_id  TEXT NOT NULL,
    idem_key   TEXT NOT NULL,
    sum        TEXT NOT NULL,
    status     BIGINT NOT NULL, -- 0 while the request is worked
    location   TEXT NOT NULL,
    body       TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, idem_key)
);

CREATE TABLE rubric_cache (
    cache_key  TEXT PRIMARY KEY,
    tenant_id  TEXT NOT NULL,
    payload    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX rubric_cache_tenant ON rubric_cache (tenant_id);

CREATE TABLE audit_events (
    gateway   TEXT NOT NULL,
    seq       BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    time      BIGINT NOT NULL,
    event     TEXT NOT NULL,
    run_id    TEXT NOT NULL,
    line      TEXT NOT NULL,
    PRIMARY KEY (gateway, seq)
);
CREATE INDEX audit_events_tenant ON audit_events (tenant_id, seq);

-- +goose Down
DROP TABLE audit_events;
DROP TABLE rubric_cache;
DROP TABLE idempotency;
DROP TABLE results;
DROP TABLE run_specs;
DROP TABLE runs;
DROP TABLE api_keys;
DROP TABLE tenants;
DROP TABLE secrets;
