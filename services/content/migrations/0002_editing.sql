-- Snapshots of everything that is published, each numbered within its item.
alter table snapshot
    -- 'page:/plans', 'chrome' or 'record:HeroComponent/home'.
    add column item text collate "C",
    -- Counts from 1 within item and locale: how editors speak of it.
    add column version integer,
    -- Which block types the document was written with, as a hash: if they are others now, it is looked through on reading.
    add column block_types bytea not null default '';

alter table snapshot disable trigger snapshot_never_changes;

update snapshot set item = case when url_path is null then 'chrome' else 'page:' || url_path end;

update snapshot set version = numbered.version
from (select id, row_number() over (partition by item, locale order by created_at, id) as version from snapshot) as numbered
where numbered.id = snapshot.id;

-- Pages are stored in the shape they are handed on in: a block's fields stand beside what it is.
update snapshot set document = (
    jsonb_build_object('urlPath', url_path, 'contentLocale', locale) || (document::jsonb - 'sections')
    || jsonb_build_object('sections', (
        select coalesce(jsonb_agg(
            jsonb_build_object('__typename', block->'componentName', 'id', block->'id',
                               'componentName', block->'componentName') || (block->'props')
            order by position), '[]')
        from jsonb_array_elements(document::jsonb->'sections') with ordinality as listed (block, position)
    )))::text
where url_path is not null;

update page set content_hash = sha256(convert_to(snapshot.document, 'UTF8'))
from snapshot where snapshot.id = page.snapshot_id;

alter table snapshot enable trigger snapshot_never_changes;

alter table snapshot
    alter column item set not null,
    alter column version set not null,
    drop column url_path,
    -- Taking a page apart again costs its reader more than the select does; it takes twice the disk.
    alter column document set storage external;
create unique index snapshot_version on snapshot (item, locale, version);

-- Which locales have a page, in order. Every reader wants it, and it is one row in place of fourteen.
create table page_locales (
    url_path text collate "C" primary key,
    locales text[] not null
);
insert into page_locales select url_path, array_agg(locale order by locale) from page group by url_path;

-- Lists of one locale or of one type, without going through all the others.
create index page_by_locale on page (locale, url_path);
create index page_by_type on page (page_type, url_path, locale);

-- What pages ask for by id.
create table record (
    kind text collate "C" not null,
    id text collate "C" not null,
    locale text collate "C" not null,
    snapshot_id uuid not null references snapshot,
    content_hash bytea not null,
    -- Of meditation samples: what they are asked for by.
    category integer,
    published_at timestamptz not null,
    primary key (kind, id, locale)
);
create index record_by_category on record (category, locale) where category is not null;

-- How far the editing of an item has come. The row outlives the draft, so that a revision never comes twice.
create table draft (
    item text collate "C" not null,
    locale text collate "C" not null,
    revision bigint not null,
    -- Null: there is no open draft.
    body text,
    -- What was published when the draft was begun.
    base_snapshot_id uuid references snapshot,
    saved_at timestamptz not null,
    primary key (item, locale)
);
create index draft_open on draft (item, locale) where body is not null;

-- The last bodies of each item, to tell who comes too late what has changed since.
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
    -- As the editor gave it; `due_at` is what it meant then.
    local_time text not null,
    time_zone text not null,
    due_at timestamptz not null,
    state text not null check (state in ('pending', 'done', 'failed', 'cancelled')),
    -- Why it failed, for the editor.
    faults jsonb not null default '[]',
    created_at timestamptz not null,
    finished_at timestamptz,
    check ((release_id is null) = (item is not null) and (item is null) = (locale is null))
);
create index schedule_due on schedule (due_at) where state = 'pending';

-- Who holds the token may see the draft of one page until then. Only its hash is here.
create table preview (
    id uuid primary key,
    token_hash bytea not null unique,
    item text collate "C" not null,
    locale text collate "C" not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index preview_expiry on preview (expires_at);
