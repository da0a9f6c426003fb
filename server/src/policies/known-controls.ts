/*
 * Remembers what people have set for sends from an inbox, with its version, since it changes seldom. The look-up of each send compares the version,
 * and so does the statement that stores the message.
 */
import { perServer } from '../lib/per-server.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import type { StoredControls } from './controls.ts';

const rememberedMax = 5_000;
/** Controls with longer lists of recipients are read for each send, so that those that are remembered take a few megabytes at most. */
const patternsMax = 50;

const rememberedOf = perServer(() => createRecentMap<StoredControls>(rememberedMax));

type Deps = Parameters<typeof rememberedOf>[0];

/** By whom a message is sent from which inbox. */
export interface SentBy {
  workspaceId: string;
  inboxId: string;
  actorId: string | null;
  /** The keys whose policies hold. */
  keys: string[];
}

/** Returns what people had set when it was last read, or null. */
export function recallControls(deps: Deps, sentBy: SentBy): StoredControls | null {
  return rememberedOf(deps).get(nameOf(sentBy)) ?? null;
}

/** Remembers what people have set, apart from a pause, whose end has no version of its own. */
export function noteControls(deps: Deps, sentBy: SentBy, controls: StoredControls): void {
  const patterns = controls.policies.flatMap(({ lines: { recipients } }) => recipients ?? []);
  if (patterns.length > patternsMax || controls.paused !== null) rememberedOf(deps).delete(nameOf(sentBy));
  else rememberedOf(deps).set(nameOf(sentBy), controls);
}

function nameOf({ workspaceId, inboxId, actorId, keys }: SentBy): string {
  return [workspaceId, inboxId, actorId ?? '', ...keys].join(' ');
}
