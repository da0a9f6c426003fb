import { defineEntity, p } from '@mikro-orm/core';

/**
 * The mails that receivers reported as claiming to be from a domain on a day (UTC), by whether DMARC passed. `is_own` marks mail that this
 * server has sent. Failing mail is counted by its source; the rest of a day has an empty one.
 */
export const DmarcCount = defineEntity({
  name: 'DmarcCount',
  tableName: 'dmarc_counts',
  properties: {
    workspaceId: p.text().primary(),
    domainId: p.text().primary(),
    day: p.date().primary(),
    isOwn: p.boolean().primary(),
    source: p.text().primary(),
    passed: p.bigint('number'),
    failed: p.bigint('number'),
  },
});

/** A report that was counted, so that a repeated one is not. `reporter` is the verified domain of its mail. */
export const SeenDmarcReport = defineEntity({
  name: 'SeenDmarcReport',
  tableName: 'seen_dmarc_reports',
  properties: {
    workspaceId: p.text().primary(),
    domainId: p.text().primary(),
    reporter: p.text().primary(),
    hash: p.blob().primary(),
    receivedAt: p.datetime(3),
  },
});
