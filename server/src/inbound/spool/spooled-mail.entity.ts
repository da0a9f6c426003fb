import { defineEntity, p } from '@mikro-orm/core';

/** One inbox that takes a mail, with the id of its message and the recipients, as given, that lead there. */
export interface SpoolTarget {
  workspace_id: string;
  inbox_id: string;
  message_id: string;
  given: string[];
  /** The `traceparent` of the span that took the mail. */
  traceparent?: string;
}

/** The envelope of a mail that was acknowledged and is not yet a message. Its bytes are each target's original already. */
export const SpooledEnvelope = defineEntity({
  name: 'SpooledEnvelope',
  tableName: 'spooled_mail',
  properties: {
    /** The id of its first message. */
    id: p.text().primary(),
    at: p.datetime(3),
    sessionId: p.text(),
    remoteAddress: p.text(),
    helo: p.text().nullable(),
    envelopeFrom: p.text(),
    sizeBytes: p.integer(),
    targets: p.json<SpoolTarget[]>(),
  },
});
