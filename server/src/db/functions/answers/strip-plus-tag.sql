-- Returns an address without the plus tag of its local part, as `stripPlusTag` does.
create or replace function strip_plus_tag(address text) returns text language sql immutable as $$
  select case when strpos(address, '+') > 1 and left(address, 1) <> '"'
    then regexp_replace(address, '^([^+]+)\+[^@]*@', '\1@') else address end
$$;
