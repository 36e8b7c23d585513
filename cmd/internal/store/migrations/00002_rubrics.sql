-- +goose Up
CREATE TABLE rubrics (
    id                TEXT PRIMARY KEY,
    tenant_id         TEXT NOT NULL REFERENCES tenants (id),
    name              TEXT NOT NULL,
    version           BIGINT NOT NULL,
    content_sum       TEXT NOT NULL,
    definition        TEXT NOT NULL,
    steps             TEXT NOT NULL, -- JSON
    fields            TEXT NOT NULL, -- JSON
    model             TEXT NOT NULL,
    revision          TEXT NOT NULL,
    verdict           TEXT NOT NULL, -- JSON
    created_at        BIGINT NOT NULL,
    created_by        TEXT NOT NULL,
    check_revision    TEXT NOT NULL,
    check_decision    TEXT NOT NULL,
    check_rules       TEXT NOT NULL, -- JSON
    check_explanation TEXT NOT NULL,
    checked_at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX rubrics_version ON rubrics (tenant_id, name, version);
CREATE UNIQUE INDEX rubrics_content ON rubrics (tenant_id, name, content_sum);

-- +goose Down
DROP TABLE rubrics;
