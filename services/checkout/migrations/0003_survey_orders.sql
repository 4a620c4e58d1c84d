-- What a survey's answers, its later payment and its programme hang on. Opened by anybody, before they sign up.
create table survey_order (
    survey_order_id uuid primary key,
    flow            integer     not null check (flow >= 0),
    variant         integer     not null check (variant >= 0),
    -- Null: the visitor takes part in no test.
    ab_group        text,
    -- Empty: the page sells no product.
    product_type    text        not null,
    language        text        not null,
    country         text        not null,
    tracking        jsonb       not null,
    created_at      timestamptz not null
);
