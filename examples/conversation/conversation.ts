/*
 * A correspondent writes to an agent, with a file; the agent answers; the correspondent answers that. Mail comes in by SMTP and
 * goes out by SMTP, through the transport `smtp`, to a mail server of its own. Every step but the time is asserted.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCorrespondent } from '@postrider/example-correspondent';
import { startServer } from '@postrider/example-start-server';
import { Postrider } from 'postrider';

const ada = await startCorrespondent();
const server = await startServer({
  POSTRIDER_TRANSPORT: 'smtp',
  POSTRIDER_SMTP_RELAY: ada.relayUrl,
});
const client = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
try {
  const agent = await client.inboxes.create({ local_part: 'agent', display_name: 'Agent' });
  console.log(`The agent's inbox is ${agent.address}.`);

  // The agent is waiting when the mail comes.
  const waiting = client.messages.list({ inbox_id: agent.id, wait_seconds: 30 }).then((page) => {
    return { page, answeredMs: performance.now() };
  });
  await sleep(500);
  const plan = randomBytes(300_000);
  const questionId = await ada.send(server.smtpPort, {
    from: 'Ada Lovelace <ada@engine.example>',
    to: agent.address,
    subject: 'The plan',
    text: 'Dear Agent,\n\nis the plan sound?\n\nAda',
    attachments: [{ filename: 'plan.bin', content: plan }],
  });
  const takenMs = performance.now();
  const { page, answeredMs } = await waiting;
  const answerMs = Math.max(0, Math.round(answeredMs - takenMs));
  console.log(`The waiting request was answered ${answerMs} ms after the 250.`);

  // It reads the mail and the file.
  assert.equal(page.messages.length, 1);
  const question = await client.messages.get(page.messages[0]?.id ?? '');
  assert.equal(question.subject, 'The plan');
  assert.equal(question.message_id, questionId);
  assert.deepEqual(
    question.attachments.map(({ filename, size_bytes }) => [filename, size_bytes]),
    [['plan.bin', plan.length]],
  );
  const download = await fetch(question.attachments[0]?.url ?? '');
  assert.ok(plan.equals(Buffer.from(await download.arrayBuffer())), 'The file is not the one that was sent.');
  console.log(`The agent read "${question.subject}" and its file of ${plan.length} bytes.`);

  // It replies, and the mail server of the correspondent gets a reply that any mail program can thread.
  const reply = await client.messages.reply(question.id, { text: 'It is, but for one wheel.' });
  assert.equal(reply.delivery_status, 'sent');
  const received = await ada.nextMail();
  assert.equal(received.from?.text, `"Agent" <${agent.address}>`);
  assert.equal(received.subject, 'Re: The plan');
  assert.equal(received.messageId, reply.message_id);
  assert.equal(received.inReplyTo, questionId);
  // Its own id comes last, for answers to it by way of relays that replace the Message-ID.
  assert.deepEqual([received.references].flat(), [questionId, reply.message_id]);
  assert.match(received.text ?? '', /^It is, but for one wheel\./);
  console.log(`Ada got "${received.subject}", in reply to her mail.`);

  // Her answer lands in the same thread.
  await ada.send(server.smtpPort, {
    from: 'Ada Lovelace <ada@engine.example>',
    to: received.from?.value[0]?.address,
    subject: 'Re: The plan',
    inReplyTo: received.messageId,
    references: [questionId, reply.message_id],
    text: `Which one?\n\nOn Friday, Agent wrote:\n> It is, but for one wheel.\n`,
  });
  const answer = await client.messages.waitFor({ thread_id: question.thread_id, after: reply.created_at });
  assert.equal(answer.extracted_text, 'Which one?');
  const thread = await client.threads.get(question.thread_id);
  assert.deepEqual(
    thread.messages.map(({ id, direction }) => [id, direction]),
    [
      [question.id, 'inbound'],
      [reply.id, 'outbound'],
      [answer.id, 'inbound'],
    ],
  );
  assert.equal(thread.message_count, 3);
  assert.equal(ada.received.length, 1);
  console.log('The thread has three messages:');
  for (const { from_addr, snippet } of thread.messages) console.log(`  ${from_addr}: ${snippet}`);
} finally {
  await server.stop();
  await ada.stop();
}
