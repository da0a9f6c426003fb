import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { entities } from './entities.ts';

/** The tables as queries see them: columns in snake_case, as in the database and on the wire. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

/** Runs queries: the pool, or one transaction. */
export type Db = Kysely<Tables>;
