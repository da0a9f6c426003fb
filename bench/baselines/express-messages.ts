/*
 * The least that an authenticated API over Postgres has to do: Express, one look-up of the key by its SHA-256 for each request, and then
 * one SELECT or one INSERT.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const { databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string };
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const queries = {
  key: 'select workspace_id from api_keys where key_hash = $1',
  read: 'select * from messages where workspace_id = $1 and id = $2',
  insert: `insert into messages (workspace_id, id, from_addr, to_addrs, subject, body_text, body_html, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, now()) returning *`,
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
  const { inbox_id, to, subject, text, html } = req.body;
  const row = await query('insert', [
    res.locals.workspaceId,
    randomUUID(),
    inbox_id,
    to,
    subject,
    text,
    html,
  ]);
  res.status(201).json(row);
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit(0));
