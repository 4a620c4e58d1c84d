-- The page that search engines are to show in place of this one; null: this one. A list of pages tells it without opening documents.
alter table page add column canonical_path text collate "C";

update page set canonical_path = own.canonical_path
from (select id, nullif(document::jsonb #>> '{seo,canonicalPath}', '') as canonical_path from snapshot) as own
where own.id = page.snapshot_id and own.canonical_path <> page.url_path;
