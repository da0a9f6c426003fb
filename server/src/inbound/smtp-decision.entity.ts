import { defineEntity, p } from '@mikro-orm/core';

/** One verdict of the SMTP server, kept 30 days: the answer to "why did my mail not arrive". */
export const SmtpDecision = defineEntity({
  name: 'SmtpDecision',
  tableName: 'smtp_decisions',
  properties: {
    id: p.bigint('number').primary(),
    at: p.datetime(3),
    workspaceId: p.text().nullable(),
    inboxId: p.text().nullable(),
    messageId: p.text().nullable(),
    sessionId: p.text(),
    remoteAddress: p.text(),
    helo: p.text().nullable(),
    mailFrom: p.text().nullable(),
    rcptTo: p.text().nullable(),
    verdict: p.text().$type<'accepted' | 'refused' | 'deferred' | 'repeated'>(),
    reply: p.text(),
  },
});
