-- What was published once. Readers are pointed at a snapshot; nothing ever changes inside one.
create table snapshot (
    id uuid primary key,
    locale text collate "C" not null,
    -- Null for the navigation and footer of a locale.
    url_path text collate "C",
    -- The whole page as JSON, kept as text: it is handed on as it stands, never searched.
    document text not null,
    created_at timestamptz not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'a snapshot never changes';
end
$$;

create trigger snapshot_never_changes before update on snapshot
    for each row execute function refuse_change();

-- Which snapshot readers of a path and locale see, with what a list of pages shows, so that listing opens no document.
create table page (
    url_path text collate "C" not null,
    locale text collate "C" not null,
    snapshot_id uuid not null references snapshot,
    -- SHA-256 of the document: the same body published again changes nothing, and of two publishers at once one wins.
    content_hash bytea not null,
    template text not null,
    page_type text not null,
    noindex boolean not null,
    published_at timestamptz not null,
    primary key (url_path, locale)
);

-- Navigation and footer of a locale, together: every page needs both.
create table chrome (
    locale text collate "C" primary key,
    snapshot_id uuid not null references snapshot,
    content_hash bytea not null,
    published_at timestamptz not null
);

-- What each seed file last brought in. A restart publishes only files that changed since, so that what an editor
-- published in the meantime stays.
create table seeded (
    source text collate "C" primary key,
    content_hash bytea not null
);
