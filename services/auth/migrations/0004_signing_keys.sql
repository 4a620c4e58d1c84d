-- Keys that sign access tokens. Each is public for a while before it signs and after, so that nobody meets an unknown one.
create table signing_key (
    key_id text primary key,
    public_key bytea not null,
    -- The private half under AES-256-GCM, with its nonce before it; sealed_by tells which secret opens it.
    sealed_key bytea not null,
    sealed_by bytea not null,
    signs_from timestamptz not null,
    signs_until timestamptz not null
);

create index signing_key_signs_until_idx on signing_key (signs_until);
