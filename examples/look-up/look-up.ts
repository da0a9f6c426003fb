/*
 * Looks up in an inbox what an agent needs to know before it answers a question, and prints it as text for a prompt: at most five
 * conversations, each with its best message, and never more than a model can read.
 */
import { type Message, Postrider } from 'postrider';

const conversationsMax = 5;
const charactersMax = 1_500;

const [address, question] = process.argv.slice(2);
if (!address || !question) throw new Error('Usage: node look-up.ts <address of the inbox> <question>');
const { inboxes, messages, threads } = new Postrider(); // reads POSTRIDER_API_KEY
const [inbox] = await inboxes.list({ address }).toArray({ limit: 1 });
if (!inbox) throw new Error(`There is no inbox ${address}.`);

const page = await threads.search(question, {
  inbox_id: inbox.id,
  mode: 'hybrid',
  limit: conversationsMax,
});
if (page.fallback_reason) console.log(`Searched by words only: ${page.fallback_reason}.`);
for (const { message_count: count, messages: [hit] = [] } of page.threads) {
  if (!hit) continue;
  const whole = await messages.get(hit.id);
  console.log(`--- ${hit.created_at.slice(0, 10)}, ${senderOf(whole)}, ${count} in the conversation ---`);
  console.log(`Subject: ${hit.subject}`);
  console.log(`Found: ${hit.snippet}`);
  for (const { id, filename } of whole.attachments)
    if (hit.matched_attachments?.includes(id)) console.log(`Found in the file: ${filename}`);
  console.log((whole.extracted_text ?? whole.body_text ?? '').trim().slice(0, charactersMax));
}
if (page.threads.length === 0) console.log('Nothing in this inbox is about that.');

/** Anybody can write any name into a mail, so only a domain that was proven is worth something to a model. */
function senderOf({ direction, from_addr: from, authentication }: Message): string {
  if (direction === 'outbound') return 'written by us';
  const domain = authentication?.verified_domain;
  return domain ? `from ${from}, domain proven` : `said to be from ${from}, not proven`;
}
