import type pg from 'pg';
import { addNaive } from '../baselines/naive-search.ts';
import { inboxPlace, threadNumber, workspacePlace } from '../run/search-numbers.ts';
import { seededId } from '../run/seed-messages.ts';
import { type IndexedMail, openMailIndex, openMailVectors } from './index-mails.ts';
import { type MailSeed, secondsApart } from './mail-seed.ts';
import { type ZipfMail, zipfMails } from './zipf-mail.ts';

const batchSize = 500;
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;

type Numbered = ZipfMail & IndexedMail & { number: number; time: number };

/** Writes mails into the tables of a server, into those of its search, and into those of the naive search unless that is null. */
export async function writeMails(client: pg.Client, naive: pg.Client | null, order: MailSeed): Promise<void> {
  const makeMail = zipfMails(order.seed);
  const index = openMailIndex(client, order);
  const vectors = await openMailVectors(client, order);
  for (let from = order.from; from < order.to; from += batchSize) {
    const mails = Array.from({ length: Math.min(batchSize, order.to - from) }, (_, at): Numbered => {
      const number = from + at;
      const place = workspacePlace(number);
      const workspace = order.workspaces[place]!;
      const time = order.firstTime + number * secondsApart * 1_000;
      const inbox = workspace.inboxes[inboxPlace(number)]!;
      return {
        ...makeMail(number),
        number,
        place,
        workspaceId: workspace.id,
        id: idAt(time, number),
        time,
        inbox,
      };
    });
    const add = async () => {
      await addMessages(client, mails);
      await index.add(mails);
      await vectors.add(mails);
    };
    await Promise.all([add(), naive && addNaive(naive, mails)]);
  }
  await index.finish();
  await vectors.finish();
}

/** Returns an id as the server makes them (RFC 9562, section 5.7), with the time in front. */
function idAt(time: number, number: number): string {
  let id = '';
  for (let rest = (BigInt(time) << 80n) | BigInt(number); id.length < idLength; rest >>= 5n)
    id = `${alphabet[Number(rest & 31n)]}${id}`;
  return `msg_${id}`;
}

const insertMessages = `insert into messages
  (workspace_id, id, inbox_id, thread_id, direction, from_addr, from_name, to_addrs, cc_addrs, bcc_addrs, reply_to_addrs,
   envelope_from, envelope_to, subject, body_text, body_html, extracted_text, snippet, delivery_status, message_id_header,
   reference_ids, auto_submitted, has_attachments, size_bytes, created_at, is_read)
  select workspace_id, id, inbox_id, thread_id, 'inbound', from_addr, from_name, array[address], '{}', '{}', '{}', from_addr,
    array[address], subject, body, null, extracted, left(extracted, 200), 'received', '<' || id || '@sender.example>', '{}', false,
    false, 3000, created_at, true
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[]) mails
    (workspace_id, id, inbox_id, thread_id, from_addr, from_name, address, subject, body, extracted, created_at)`;

const insertThreads = `insert into threads
  (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at, unread_count)
  select workspace_id, thread_id, min(inbox_id), min(subject), array[min(from_addr)], count(*), max(created_at), min(created_at), 0
  from messages where id = any($1) group by workspace_id, thread_id
  on conflict (workspace_id, id) do update set message_count = threads.message_count + excluded.message_count,
    last_message_at = excluded.last_message_at`;

async function addMessages(client: pg.Client, mails: Numbered[]): Promise<void> {
  await client.query(insertMessages, [
    mails.map(({ workspaceId }) => workspaceId),
    mails.map(({ id }) => id),
    mails.map(({ inbox }) => inbox.id),
    mails.map(({ number }) => seededId('thr', threadNumber(number))),
    mails.map(({ fromAddress }) => fromAddress),
    mails.map(({ fromName }) => fromName),
    mails.map(({ inbox }) => inbox.address),
    mails.map(({ subject }) => subject),
    mails.map(({ text }) => text),
    mails.map(({ newText }) => newText),
    mails.map(({ time }) => new Date(time)),
  ]);
  await client.query(insertThreads, [mails.map(({ id }) => id)]);
}
