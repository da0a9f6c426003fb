/** The workspaces of the seeded mails, by their place in the list of workspaces: three that are measured, and others beside them. */
export const places = { large: 0, middle: 1, small: 2 } as const;
export const othersCount = 20;
export const placesCount = 3 + othersCount;

/** Of 231 threads, the large workspace has 200, the middle one 20, the small one 2 and the others together 9. */
const cycle = 231;
const ends = { large: 200, middle: 220, small: 222 };
/** Without a common divisor with the cycle, so that the threads of a workspace are spread over it. */
const stride = 97;
const messagesEach = 3;

/** Returns how many mails to make, for so many in the large workspace. */
export function mailsFor(large: number): number {
  return Math.ceil(large / (ends.large * messagesEach)) * cycle * messagesEach;
}

/** Returns the place of the workspace that has the mail with a number. Workspaces get mail in turn, as on a server that many use. */
export function workspacePlace(number: number): number {
  const thread = threadNumber(number);
  const slot = (thread * stride) % cycle;
  if (slot < ends.large) return places.large;
  if (slot < ends.middle) return places.middle;
  if (slot < ends.small) return places.small;
  return 3 + ((Math.floor(thread / cycle) + slot) % othersCount);
}

/** Returns how many of the mails below a number each workspace has, by place. */
export function countMails(end: number): number[] {
  const counts: number[] = Array.from({ length: placesCount }, () => 0);
  for (let number = 0; number < end; number++) counts[workspacePlace(number)]! += 1;
  return counts;
}

/** Returns the thread of a mail. */
export function threadNumber(number: number): number {
  return Math.floor(number / messagesEach);
}

export const inboxesEach = 11;

/**
 * Returns the place of the inbox of a mail in the list of its workspace. The first inbox has one thread in 200, the ten others have the
 * rest.
 */
export function inboxPlace(number: number): number {
  const within = Math.floor(threadNumber(number) / cycle) * 7 + ((threadNumber(number) * stride) % cycle);
  return within % 200 === 0 ? 0 : 1 + (within % (inboxesEach - 1));
}

/** Returns the numbers of some mails of a workspace, from all ages; only those in one of its inboxes if that is given. */
export function someNumbers(place: number, mails: number, count: number, inbox?: number): number[] {
  const found: number[] = [];
  const isWanted = (number: number) =>
    workspacePlace(number) === place && (inbox === undefined || inboxPlace(number) === inbox);
  for (let number = 0; found.length < count; number = (number + 7_919) % mails)
    if (isWanted(number)) found.push(number);
  return found;
}
