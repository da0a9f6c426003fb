/*
 * An API for mail as it is usually begun: Express, and one look-up of the key by its SHA-256 in Postgres for each request. It reads a
 * message by one SELECT. It sends one by an INSERT, a signing pool of nodemailer, and an UPDATE of the outcome.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { openSigningPool } from './signing-pool.ts';

/** The database, and the relay to which messages go. */
export interface ExpressOrder {
  databaseUrl: string;
  relayPort: number;
}

const { databaseUrl, relayPort } = JSON.parse(process.argv[2] ?? '{}') as ExpressOrder;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const transport = openSigningPool(relayPort, 20);

const from = 'Bench <bench@sender.example>';
const queries = {
  key: 'select workspace_id from api_keys where key_hash = $1',
  read: 'select * from messages where workspace_id = $1 and id = $2',
  insert: `insert into messages (workspace_id, id, from_addr, to_addrs, subject, body_text, body_html, status, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'sending', now())`,
  settle: 'update messages set status = $3, reply = $4 where workspace_id = $1 and id = $2 returning *',
};
async function query(name: keyof typeof queries, values: unknown[]): Promise<Record<string, unknown> | null> {
  return (await pool.query({ name, text: queries[name], values })).rows[0] ?? null;
}

const app = express();
app.disable('x-powered-by');
app.use(async (req, res, next) => {
  const key = /^Bearer (.+)$/.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const found = await query('key', [createHash('sha256').update(key).digest()]);
  if (!found) return void res.status(401).json({ error: 'invalid_token' });
  res.locals.workspaceId = found.workspace_id;
  next();
});
app.get('/v1/messages/:id', async (req, res) => {
  const row = await query('read', [res.locals.workspaceId, req.params.id]);
  if (!row) return void res.status(404).json({ error: 'not_found' });
  res.json(row);
});
app.post('/v1/messages', express.json({ limit: '1mb' }), async (req, res) => {
  const { to, subject, text, html } = req.body;
  const [workspaceId, id] = [res.locals.workspaceId, randomUUID()];
  await query('insert', [workspaceId, id, from, to, subject, text, html]);
  const outcome = await transport.sendMail({ from, to, subject, text, html }).then(
    ({ response }) => ['sent', response],
    (error: Error) => ['failed', error.message],
  );
  res.status(201).json(await query('settle', [workspaceId, id, ...outcome]));
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit(0));
