import type { Db } from '../db/database.ts';
import { bodyCharacters, type NewMessage } from './message-record.ts';

const keptMs = 1_000;
const keptCharactersMax = 4_194_304;
/** Of a mail that is longer than this, reading it back is little beside what else it takes. */
const charactersMax = 65_536;
/** What a message of few characters takes beside them. */
const charactersLeast = 1_000;

/** What is kept of one database: messages by their ids, those of this half of a second and those of the one before. */
interface Kept {
  young: Map<string, NewMessage>;
  old: Map<string, NewMessage>;
  youngCharacters: number;
  timer: NodeJS.Timeout | null;
}

const keptOf = new WeakMap<Db, Kept>();

/**
 * Keeps a message whose storing has committed for whoever renders its events a moment later, as reading it back would cost the
 * database a tenth of storing it. All of a message but its thread, its metadata and whether it was read stays as it was stored.
 */
export const keepStored = (db: Db, message: NewMessage): void => {
  const characters = charactersOf(message);
  if (characters > charactersMax) return;
  const kept = keptOf.get(db) ?? { young: new Map(), old: new Map(), youngCharacters: 0, timer: null };
  keptOf.set(db, kept);
  kept.young.set(message.id, message);
  kept.youngCharacters += characters;
  if (kept.youngCharacters > keptCharactersMax / 2) age(kept);
  kept.timer ??= setInterval(() => age(kept), keptMs / 2).unref();
};

/** Those of the workspace's messages that are kept, by their ids; from then on they are not. */
export const takeStored = (db: Db, workspaceId: string, ids: string[]): Map<string, NewMessage> => {
  const taken = new Map<string, NewMessage>();
  const kept = keptOf.get(db);
  if (!kept) return taken;
  for (const id of ids) {
    const message = kept.young.get(id) ?? kept.old.get(id);
    if (message?.workspace_id !== workspaceId) continue;
    taken.set(id, message);
    if (kept.young.delete(id)) kept.youngCharacters -= charactersOf(message);
    kept.old.delete(id);
  }
  return taken;
};

const age = (kept: Kept): void => {
  kept.old = kept.young;
  kept.young = new Map();
  kept.youngCharacters = 0;
  if (kept.old.size > 0 || kept.timer === null) return;
  clearInterval(kept.timer);
  kept.timer = null;
};

const charactersOf = (message: NewMessage): number => {
  const { subject, to_addrs, cc_addrs, reply_to_addrs, envelope_to, reference_ids } = message;
  let characters = charactersLeast + bodyCharacters(message) + subject.length;
  for (const list of [to_addrs, cc_addrs, reply_to_addrs, envelope_to, reference_ids])
    for (const { length } of list) characters += length;
  return characters;
};
