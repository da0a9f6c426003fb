/*
 * Lists the drafts that wait for approval; with the ids of some, sends those. Nothing else sends them.
 */
import { Postrider } from 'postrider';

const { drafts, inboxes, messages } = new Postrider({ maxRetries: 10 }); // reads POSTRIDER_API_KEY
const inbox = await inboxes.getOrCreate({ local_part: 'support', display_name: 'Support' });
const approved = process.argv.slice(2);

for (const id of approved) {
  const { reply_to_message_id, to, subject } = await drafts.get(id);
  // Named by the message that it answers, a repeat sends nothing: after a crash, or when two people approve at once.
  const { idempotent } = await drafts.send(id, { client_id: `answer-${reply_to_message_id ?? id}` });
  console.log(`${idempotent ? 'Was sent before' : 'Sent'}: ${id} to ${to.join(', ')}: ${subject}`);
}

if (approved.length === 0) {
  for await (const draft of drafts.list({ inbox_id: inbox.id, status: 'draft' })) {
    console.log(`\n${draft.id} to ${draft.to.join(', ')}: ${draft.subject}`);
    if (draft.reply_to_message_id !== null) {
      const { from_addr, snippet } = await messages.get(draft.reply_to_message_id);
      console.log(`  ${from_addr} wrote: ${snippet}`);
    }
    console.log(draft.text?.trim().replace(/^/gm, '  | '));
  }
}
