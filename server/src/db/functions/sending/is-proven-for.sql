-- Returns whether a mail is proven to be written by an address: it passed DMARC for the very domain of that address, or it is from this
-- server, and so has no authentication. Postgres inlines the expression.
create or replace function is_proven_for(authentication jsonb, address text) returns boolean language sql immutable as $$
  select authentication->>'dmarc' is null or (authentication->>'dmarc' = 'pass'
    and right(lower(address), length(authentication->>'verified_domain') + 1) = '@' || (authentication->>'verified_domain'))
$$;
