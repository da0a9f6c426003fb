import { setTimeout as sleep } from 'node:timers/promises';
import type { Domain } from '@postrider/contract';
import type { TestServer } from '../servers/test-server.ts';
import type { DnsServer } from './dns-server.ts';
import { publishRecords, withdrawRecords } from './publish-domain.ts';

const pauseMs = 50;

/**
 * Does what owners of domains do at their DNS providers: publishes the records of every domain of the workspace, again when its DMARC
 * policy changes, and removes them when it is deleted. Returns a function that stops it.
 */
export function playProvider({ client, rows }: TestServer, dns: DnsServer): () => Promise<void> {
  const published = new Map<string, Domain>();
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      const now = await rows<{ id: string; dmarc_policy: string }>('select id, dmarc_policy from domains');
      for (const { id, dmarc_policy } of now) {
        if (published.get(id)?.dmarc_policy === dmarc_policy) continue;
        const domain = await client.domains.get(id).catch(() => null);
        if (!domain) continue;
        publishRecords(dns, domain);
        published.set(id, domain);
      }
      for (const [id, domain] of published) {
        if (now.some((row) => row.id === id)) continue;
        withdrawRecords(
          dns,
          domain,
          domain.records.map(({ purpose }) => purpose),
        );
        published.delete(id);
      }
      await sleep(pauseMs);
    }
  };
  const ended = run();
  return () => {
    isOver = true;
    return ended;
  };
}
