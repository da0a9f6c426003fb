/** Returns a column for an id of this server, in byte order. */
export function id(name: string) {
  return `${name} text collate "C" not null`;
}

/** The API key and the request that created a row; null if the server itself did, for example for inbound mail. */
export const maker = 'api_key_id text collate "C", request_id text';

/** Data that callers attach to their own objects. */
export const metadata = `metadata jsonb not null default '{}'`;
