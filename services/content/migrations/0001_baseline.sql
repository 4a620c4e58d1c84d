-- Drafts, immutable snapshots, the pointers readers follow, releases, schedules, previews.

-- Published documents, numbered within item and locale. Immutable.
create table snapshot (
    id uuid primary key,
    locale text collate "C" not null,
    -- The whole item as JSON text, returned verbatim and never searched.
    document text not null,
    created_at timestamptz not null,
    -- 'page:/plans', 'chrome' or 'record:HeroComponent/home'.
    item text collate "C" not null,
    -- Counts from 1 within item and locale.
    version integer not null,
    -- Hash of the block types at publication. Another hash now: reads validate the document.
    block_types bytea not null default ''
);
-- Uncompressed: decompression costs a reader more than the select; twice the disk.
alter table snapshot alter column document set storage external;
create unique index snapshot_version on snapshot (item, locale, version);

create function forbid_update() returns trigger language plpgsql as $$
begin
    raise exception 'a snapshot is immutable';
end
$$;

create trigger snapshot_immutable before update on snapshot
    for each row execute function forbid_update();

-- Published snapshot of each path and locale, with the columns that page lists show.
create table page (
    url_path text collate "C" not null,
    locale text collate "C" not null,
    snapshot_id uuid not null references snapshot,
    -- SHA-256 of the document: publishing the same body again changes nothing.
    content_hash bytea not null,
    template text not null,
    page_type text not null,
    noindex boolean not null,
    published_at timestamptz not null,
    -- The page that search engines show instead of this one; null: this one.
    canonical_path text collate "C",
    primary key (url_path, locale)
);
create index page_by_locale on page (locale, url_path);
create index page_by_type on page (page_type, url_path, locale);

-- Locales of each page, sorted: one row instead of fourteen for every reader.
create table page_locales (
    url_path text collate "C" primary key,
    locales text[] not null
);

-- Navigation and footer of a locale.
create table chrome (
    locale text collate "C" primary key,
    snapshot_id uuid not null references snapshot,
    content_hash bytea not null,
    published_at timestamptz not null
);

-- Published records, fetched by id.
create table record (
    kind text collate "C" not null,
    id text collate "C" not null,
    locale text collate "C" not null,
    snapshot_id uuid not null references snapshot,
    content_hash bytea not null,
    -- Category of meditation samples; null for other kinds.
    category integer,
    published_at timestamptz not null,
    primary key (kind, id, locale)
);
create index record_by_category on record (category, locale) where category is not null;

-- Hash of each seed file at its last import. A restart publishes changed files only.
create table seed_import (
    source text collate "C" primary key,
    content_hash bytea not null
);

-- Editing state of an item. The row outlives the draft, so a revision is never reused.
create table draft (
    item text collate "C" not null,
    locale text collate "C" not null,
    revision bigint not null,
    -- Null: no open draft.
    body text,
    -- Snapshot that was published when the draft began.
    base_snapshot_id uuid references snapshot,
    saved_at timestamptz not null,
    primary key (item, locale)
);
create index draft_open on draft (item, locale) where body is not null;

-- Recent bodies of each item, to list what changed for a stale editor.
create table draft_revision (
    item text collate "C" not null,
    locale text collate "C" not null,
    revision bigint not null,
    -- Null: the draft was discarded.
    body text,
    primary key (item, locale, revision)
);

create table release (
    id uuid primary key,
    name text not null,
    created_at timestamptz not null,
    published_at timestamptz
);

create table release_member (
    release_id uuid not null references release,
    item text collate "C" not null,
    locale text collate "C" not null,
    primary key (release_id, item, locale)
);

create table schedule (
    id uuid primary key,
    -- Either an item in a locale or a release.
    item text collate "C",
    locale text collate "C",
    release_id uuid references release,
    -- As the editor entered it; due_at is the resulting instant.
    local_time text not null,
    time_zone text not null,
    due_at timestamptz not null,
    state text not null check (state in ('pending', 'done', 'failed', 'cancelled')),
    -- Validation errors of a failed publication.
    errors jsonb not null default '[]',
    created_at timestamptz not null,
    finished_at timestamptz,
    check ((release_id is null) = (item is not null) and (item is null) = (locale is null))
);
create index schedule_due on schedule (due_at) where state = 'pending';

-- Preview links to the draft of one page. The token itself is not stored.
create table preview (
    id uuid primary key,
    token_hash bytea not null unique,
    item text collate "C" not null,
    locale text collate "C" not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index preview_expiry on preview (expires_at);
