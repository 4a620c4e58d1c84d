-- Surveys: opened before sign-up, later owned and paid by a member.

create table survey_order (
    survey_order_id     uuid primary key,
    flow                integer     not null check (flow >= 0),
    variant             integer     not null check (variant >= 0),
    -- Null: the visitor is in no A/B test.
    ab_group            text,
    -- Empty: the survey sells no product.
    product_type        text        not null,
    language            text        not null,
    country             text        not null,
    tracking            jsonb       not null,
    -- The member that signed up with it. Null: no owner yet.
    user_id             text,
    -- The order that paid for it.
    paid_by             uuid references orders,
    paid_at             timestamptz,
    -- SHA-256 of the access key that the browser holds. Null: purged with the answers of an unclaimed survey.
    access_key_hash     bytea,
    -- The owner has presented the access key, so the answers are theirs.
    is_owner_verified   boolean     not null default false,
    -- The programme suggested for the answers.
    program             text,
    playlist_id         uuid unique,
    playlist_created_at timestamptz,
    created_at          timestamptz not null,
    constraint survey_order_paid_check check ((paid_by is null) = (paid_at is null)),
    constraint survey_order_playlist_check check ((playlist_id is null) = (playlist_created_at is null))
);
create index survey_order_user_idx on survey_order (user_id) where user_id is not null;

-- Answers may concern health: they appear in no event and no log, and are deleted with their survey order.
create table survey_answer (
    survey_order_id uuid        not null references survey_order on delete cascade,
    -- Ids that the content service assigns to questions and options; never free text.
    question        text        not null,
    options         text[]      not null,
    answered_at     timestamptz not null,
    primary key (survey_order_id, question)
);
