-- Of the person who asked, for the event that the text is finished; empty where it is unknown.
alter table ai_reply add column country text not null default '';
