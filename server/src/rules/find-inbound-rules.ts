import { sql } from 'kysely';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import { type MatchingRule, patternsFor } from './decide-rule.ts';

/** The workspace of a mail, and the senders that the mail names. */
interface NamedSenders {
  workspaceId: string;
  senders: string[];
}

/** Returns the inbound rules of a workspace that match any of the senders. */
export const findInboundRules = batchedQuery(
  async (ctx, asked: NamedSenders[]): Promise<MatchingRule[][]> => {
    const requests = asked.map(({ workspaceId, senders }) => ({
      workspace_id: workspaceId,
      patterns: [...new Set(senders.flatMap(patternsFor))],
    }));
    const rows = await selectRules(ctx, { requests: JSON.stringify(requests) });
    return rows.map(({ rules }) => rules);
  },
);

const selectRules = prepared((db, { requests }: { requests: string }) =>
  sql<{ rules: MatchingRule[] }>`select
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'pattern', pattern)), '[]') from rules
      where workspace_id = r->>'workspace_id' and direction <> 'outbound'
      and pattern = any(array(select jsonb_array_elements_text(r->'patterns')))) as rules
    from jsonb_array_elements(${requests}::jsonb) with ordinality as asked(r, place) order by place`.compile(
    db,
  ),
);
