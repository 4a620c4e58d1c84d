-- Which of its networks a co-branded card is to be charged by, where its buyer has chosen one. Stored with the attempt: whoever
-- repeats its call to the provider must say the same.
alter table payment add column card_network text;
