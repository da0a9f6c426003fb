import { Postrider } from 'postrider';

const { inboxes, messages } = new Postrider(); // reads POSTRIDER_API_KEY
const run = Date.now();
const alice = await inboxes.create({ local_part: `alice-${run}` });
const bob = await inboxes.create({ local_part: `bob-${run}` });

await messages.send({ inbox_id: alice.id, to: [bob.address], subject: 'Lunch?', text: 'Noodles at noon?' });
const question = await messages.waitFor({ inbox_id: bob.id, after: bob.created_at });
await messages.reply(question.id, { text: 'Make it half past.' });
const answer = await messages.waitFor({ inbox_id: alice.id, after: alice.created_at });
console.log(`${answer.from_addr}: ${answer.subject}\n${answer.extracted_text}`);
