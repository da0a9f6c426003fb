/*
 * The least that a durable SMTP server in Node has to do: `smtp-server` without anything around it, and one INSERT of the raw mail that is
 * committed before the 250.
 */
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';

const { databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string };
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
await pool.query(
  'create table if not exists mails (id bigserial primary key, raw bytea not null, at timestamptz not null default now())',
);

const insert = { name: 'insert', text: 'insert into mails (raw) values ($1)' };
const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      pool.query({ ...insert, values: [Buffer.concat(chunks)] }).then(() => done(), done);
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.server.address() as AddressInfo;
  console.log(JSON.stringify({ port }));
});
process.once('SIGTERM', () => process.exit(0));
