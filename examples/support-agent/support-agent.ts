/*
 * Drafts a reply to every message of an inbox, and sends none: a person reads the drafts and sends the good ones with approve.ts.
 * All that it knows is on the server. A message is marked as read once it has its draft, so each start begins with the unread ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConnectionError,
  type Message,
  NotFoundError,
  Postrider,
  ServerError,
  TimeoutError,
} from 'postrider';

const { drafts, inboxes, messages } = new Postrider({ maxRetries: 10 }); // reads POSTRIDER_API_KEY
const inbox = await inboxes.getOrCreate({ local_part: 'support', display_name: 'Support' });
console.log(`Drafting replies to the mail of ${inbox.address}.`);

/** Puts the words of a reply together. This is where you would call your model. */
async function compose({ from_name, subject }: Message): Promise<string> {
  return `Dear ${from_name ?? 'customer'},\n\nthank you for writing about "${subject}". We are looking into it.\n`;
}

/** Whether a reply to a message was drafted before. The newest drafts come first, and a reply is newer than its message. */
async function hasDraft({ id, created_at }: Message): Promise<boolean> {
  for await (const draft of drafts.list({ inbox_id: inbox.id })) {
    if (draft.reply_to_message_id === id) return true;
    if (draft.created_at < created_at) return false;
  }
  return false;
}

async function draftReplies(): Promise<void> {
  for await (const message of messages.stream({ inbox_id: inbox.id, read: false, after: inbox.created_at })) {
    // Two machines that answer each other would never stop. A crash before the mark leaves a draft of an unread message.
    if (!message.auto_submitted && !(await hasDraft(message))) {
      const text = await compose(message);
      const draft = await drafts.create({ inbox_id: inbox.id, reply_to_message_id: message.id, text });
      console.log(`${draft.id} to ${draft.to.join(', ')}: ${draft.subject}`);
    }
    await messages.update(message.id, { read: true });
  }
}

// Creating a draft is not repeated by the client, which cannot know whether it happened. Here it can be: hasDraft looks first.
const passing = [ConnectionError, TimeoutError, ServerError, NotFoundError];
for (;;) {
  try {
    await draftReplies();
  } catch (error) {
    if (!passing.some((kind) => error instanceof kind)) throw error;
    console.error(String(error));
    await sleep(1_000);
  }
}
