import { Anchor, Skeleton } from '@mantine/core';
import type { Account } from 'postrider';
import { Link } from 'react-router';
import { settingsText } from '#strings/settings.ts';
import { useAccount } from '../lib/account-query.ts';
import { byteSize } from '../lib/byte-size.ts';
import { formatCount } from '../lib/numbers.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { Panel } from '../parts/panel.tsx';

const text = settingsText.plan;
const rows = 8;

/** The plan of the workspace, and its limits. */
export function PlanLimits() {
  const { plan } = useWorkspace();
  const { data, error, refetch } = useAccount();
  return (
    <Panel title={text.title(capitalised(plan))} about={text.about}>
      {error && !data && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={rows * 32} />}
      {data && <FactList facts={listFacts(data.limits)} />}
      <Anchor component={Link} to="/usage" size="sm">
        {text.usage}
      </Anchor>
    </Panel>
  );
}

function listFacts(limits: Account['limits']): Fact[] {
  const included = (isIncluded: boolean) => (isIncluded ? text.yes : text.no);
  const rate = text.rateValue(formatCount(limits.requests_per_second), formatCount(limits.requests_burst));
  return [
    { name: text.inboxes, value: formatCount(limits.inboxes) },
    { name: text.emails, value: formatCount(limits.emails_per_month) },
    { name: text.storage, value: byteSize(limits.storage_bytes) },
    { name: text.mail, value: byteSize(limits.mail_bytes) },
    { name: text.rate, value: rate },
    { name: text.domains, value: included(limits.custom_domains) },
    { name: text.search, value: included(limits.semantic_search) },
    { name: text.subdomain, value: included(limits.dedicated_subdomain) },
  ];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
