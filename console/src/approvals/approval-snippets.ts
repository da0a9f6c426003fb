import { brand } from '@postrider/contract/brand';
import { approvalsText } from '#strings/approvals.ts';
import type { Snippet } from '../parts/empty-state.tsx';

/** Returns how an operator turns approval on, and what an agent then gets for a message that it sends. */
export function approvalSnippets(workspace: string): Snippet[] {
  return [
    {
      label: approvalsText.empty.command,
      code: `npm run ${brand.script} -- policy set --workspace ${quoted(workspace)} --send approve`,
    },
    {
      label: approvalsText.empty.agent,
      code: [
        'const { id, delivery_status } = await client.messages.send({ inbox_id, to, subject, text });',
        'console.log(delivery_status); // held',
        '',
        '// Later: delivered, or rejected with the reason that people gave.',
        'const { recipients } = await client.messages.get(id);',
        'console.log(recipients[0].status, recipients[0].detail);',
      ].join('\n'),
    },
  ];
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
