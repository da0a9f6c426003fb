import { plannedByIndex } from './planner.ts';

/**
 * Returns the bytes that a mail counts against `mail_bytes`: its original and its bodies. No body is read or decompressed for its length.
 */
export const mailBytes = /* sql */ `
create or replace function mail_bytes(size_bytes int, body_text text, body_html text, extracted_text text) returns bigint
language sql immutable parallel safe as $$
  select size_bytes::bigint + coalesce(octet_length(body_text), 0) + coalesce(octet_length(body_html), 0)
    + coalesce(octet_length(extracted_text), 0)
$$`;

/** Returns the bytes that the mail of a workspace takes, by ledger and totals; never below zero. */
export const mailBytesOf = /* sql */ `
create or replace function mail_bytes_of(ws text) returns bigint language plpgsql stable ${plannedByIndex} as $$
begin
  return greatest(0,
    (select coalesce(sum(t.amount), 0) from usage_totals t where t.workspace_id = ws and t.kind = 'mail_bytes')
      + (select coalesce(sum(l.amount), 0) from usage_ledger l where l.workspace_id = ws and l.kind = 'mail_bytes'));
end $$`;
