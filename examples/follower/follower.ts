/*
 * Copies every event of a workspace into a file, a line of JSON each. The file is all that it keeps: its last whole line says where
 * to go on, so that it may be killed at any moment.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { Postrider, type PostriderEvent } from 'postrider';

const path = process.argv[2] ?? 'events.jsonl';
const file = await open(path, 'a+');
const last = await lastEvent(file);
const { events } = new Postrider(); // reads POSTRIDER_API_KEY
console.log(`Following ${last === null ? 'all events' : `what comes behind ${last.id}`} into ${path}.`);

for await (const event of events.stream({ after: last?.id ?? 'beginning' })) {
  await file.appendFile(`${JSON.stringify(event)}\n`);
}

/** Gives the event of the last whole line, and cuts off what follows it: a line that was not written to its end. */
async function lastEvent(file: FileHandle): Promise<PostriderEvent | null> {
  let { size: start } = await file.stat();
  let tail = Buffer.alloc(0);
  for (;;) {
    const end = tail.lastIndexOf('\n');
    const begin = end < 1 ? -1 : tail.lastIndexOf('\n', end - 1) + 1;
    // The last line is read whole once the line before it ends within the tail, or it is the first line of the file.
    if (start === 0 || begin > 0) {
      await file.truncate(start + end + 1);
      return end < 0 ? null : JSON.parse(tail.toString('utf8', begin, end));
    }
    const chunk = Buffer.alloc(Math.min(start, 65_536));
    start -= chunk.length;
    await file.read(chunk, 0, chunk.length, start);
    tail = Buffer.concat([chunk, tail]);
  }
}
