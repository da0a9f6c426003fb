import type { ApprovalSummary, Correspondent } from '@postrider/contract/console';
import { approvalText } from '#strings/approval.ts';
import { formatDay } from '../lib/times.ts';

/** How well a recipient is known. `elsewhere` is a recipient whom the message reaches only because somebody else named the address. */
export type StandingLevel = 'proven' | 'unproven' | 'unknown' | 'elsewhere';

/** Something that is known about a recipient, in plain words. */
export interface Standing {
  level: StandingLevel;
  sentence: string;
}

const { about, standing: text } = approvalText;

/** Returns what the inbox knows about a recipient: first how far the address is proven, then whether the reply goes elsewhere. */
export function listStandings(correspondent: Correspondent): Standing[] {
  const { reply_to_of } = correspondent;
  const first = judgeStanding(correspondent);
  return reply_to_of === null
    ? [first]
    : [first, { level: 'elsewhere', sentence: text.elsewhere(reply_to_of) }];
}

function judgeStanding({ proven_at, verified_domain, last_wrote_at, is_new }: Correspondent): Standing {
  if (proven_at !== null && verified_domain !== null)
    return { level: 'proven', sentence: text.proven(formatDay(proven_at), verified_domain) };
  if (last_wrote_at !== null) return { level: 'unproven', sentence: text.unproven(formatDay(last_wrote_at)) };
  return { level: 'unknown', sentence: is_new ? text.stranger : text.onlyWrittenTo };
}

/** Returns in one sentence who wrote a message and who sends it. */
export function describeSender({ key, writer, inbox_address }: ApprovalSummary): string {
  if (key === null)
    return writer === null ? about.person(inbox_address) : about.personOf(writer.name, inbox_address);
  return writer === null
    ? about.key(key.name, inbox_address)
    : about.keyOf(key.name, writer.name, inbox_address);
}
