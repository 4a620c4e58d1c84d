-- The answers of a survey may be about health. They are in no event and no log, and are deleted with their order.
alter table survey_order
    -- SHA-256 of the key that the browser of the survey holds. Null: opened before there were keys.
    add column access_key_hash bytea,
    -- The owner has shown the key: the answers are theirs.
    add column is_proved boolean not null default false,
    -- The programme that was suggested for the answers.
    add column program text,
    add column playlist_id uuid unique,
    add column playlist_created_at timestamptz,
    add constraint survey_order_playlist_check check ((playlist_id is null) = (playlist_created_at is null));

create table survey_answer (
    survey_order_id uuid        not null references survey_order on delete cascade,
    -- The ids that content gives to questions and options; never free text.
    question        text        not null,
    options         text[]      not null,
    answered_at     timestamptz not null,
    primary key (survey_order_id, question)
);
