/** A column for an id of this server, in byte order. */
export const id = (name: string) => `${name} text collate "C" not null`;

/** The API key and the request that made a row; null when the server itself did, for example for mail that came in. */
export const maker = 'api_key_id text collate "C", request_id text';

/** What callers note on a thing of theirs. */
export const metadata = `metadata jsonb not null default '{}'`;
