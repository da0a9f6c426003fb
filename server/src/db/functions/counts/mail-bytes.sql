-- Returns the bytes that a mail counts against `mail_bytes`: its original and its bodies. No body is read or decompressed for its length.
create or replace function mail_bytes(size_bytes int, body_text text, body_html text, extracted_text text) returns bigint
language sql immutable parallel safe as $$
  select size_bytes::bigint + coalesce(octet_length(body_text), 0) + coalesce(octet_length(body_html), 0)
    + coalesce(octet_length(extracted_text), 0)
$$;
