import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { consolePages } from './groups/console-pages.ts';
import { openConsoles } from './groups/consoles.ts';
import { intake } from './groups/intake.ts';
import { lanes } from './groups/lanes.ts';
import { largeMail } from './groups/large-mail.ts';
import { lists } from './groups/lists.ts';
import { mcp } from './groups/mcp.ts';
import { memory } from './groups/memory.ts';
import { outbound } from './groups/outbound.ts';
import { comparePackages } from './groups/packages.ts';
import { peers } from './groups/peers.ts';
import { read } from './groups/read.ts';
import { replies } from './groups/replies.ts';
import { search } from './groups/search/search.ts';
import { searchIndex } from './groups/search/search-index.ts';
import { searchQuality } from './groups/search/search-quality.ts';
import { send } from './groups/send.ts';
import { sendWithPolicy } from './groups/send-policy.ts';
import { sockets } from './groups/sockets.ts';
import { stall } from './groups/stall.ts';
import { startAndMemory } from './groups/start.ts';
import { texts } from './groups/texts.ts';
import { webhooks } from './groups/webhooks.ts';
import { roundsMin } from './measure/compare.ts';
import { formatOutcomes, formatTable } from './measure/print-outcomes.ts';
import { writeReport } from './measure/write-report.ts';
import type { Group, Options } from './run/group.ts';
import { runGroup } from './run/run-group.ts';

const groups: Record<string, Group> = {
  intake,
  'large-mail': largeMail,
  read,
  lists,
  search,
  'search-index': searchIndex,
  'search-quality': searchQuality,
  send,
  'send-policy': sendWithPolicy,
  outbound,
  lanes,
  webhooks,
  stall,
  sockets,
  consoles: openConsoles,
  'console-pages': consolePages,
  start: startAndMemory,
  mcp,
  memory,
  replies,
  texts,
  peers,
};
const quick: Partial<Options> = { rounds: 2, seconds: 3, minutes: 0.2, messages: 20_000 };
const defaults: Options = {
  rounds: 5,
  seconds: 10,
  seed: 20_261_121,
  minutes: 3,
  messages: 1_000_000,
  followed: false,
};
const resultsFolder = new URL('./results/', import.meta.url);

const usage = `pnpm bench <${Object.keys(groups).join('|')}|packages|report> [--rounds N] [--seconds N] [--minutes N] [--messages N] [--seed N] [--before FOLDER] [--json FILE] [--quick] [--followed]`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      messages: { type: 'string' },
      seed: { type: 'string' },
      before: { type: 'string' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      followed: { type: 'boolean', default: false },
    },
  });
  const [name = ''] = positionals;
  if (name === 'report') return writeReport(resultsFolder);
  if (name === 'packages') return comparePackages();
  const group = groups[name];
  if (!group) throw new Error(`There is no group "${name}". ${usage}`);
  const options = {
    ...defaults,
    ...(values.before === undefined ? {} : { rounds: roundsMin }),
    ...(values.quick ? quick : {}),
    followed: values.followed,
  };
  for (const key of ['rounds', 'seconds', 'minutes', 'messages', 'seed'] as const)
    if (values[key] !== undefined) options[key] = Number(values[key]);
  const result = await runGroup(name, group, options, values.before ?? null);
  for (const table of result.tables) console.log(formatTable(table));
  console.log(`\n${formatOutcomes(result.outcomes)}\n\n${JSON.stringify(result)}`);
  // A trial run is not a result.
  const title = `${name}${values.followed ? '-followed' : ''}${values.before === undefined ? '' : '-before'}`;
  const file = values.json ?? (values.quick ? null : fileURLToPath(new URL(`${title}.json`, resultsFolder)));
  if (file === null) return;
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
}

await main();
