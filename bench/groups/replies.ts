import {
  extractReply,
  fold,
  judgeReply,
  type OtherMail,
  type Reply,
  type ReplyVerdict,
  readOtherMails,
  readReplies,
} from '@postrider/testkit/replies/replies.ts';
import { judge, type Outcome } from '../measure/goal.ts';
import { replyLibraries } from '../peers/reply-libraries.ts';
import type { Bench, Group } from '../run/group.ts';

const server = 'postrider';
const goals = {
  right: {
    id: 'E1',
    what: 'new text of replies that is right',
    unit: '%',
    better: 'higher',
    floor: 88,
    target: 95,
  },
  lost: {
    id: 'E2',
    what: 'replies of which text of the author is lost',
    unit: '%',
    better: 'lower',
    floor: 2,
    target: 0.5,
  },
  heldOut: {
    id: 'E1 b',
    what: 'the same as E1 in the half that is held out',
    unit: '%',
    better: 'higher',
    floor: 88,
    target: 95,
  },
  cut: {
    id: 'E3',
    what: 'mails that answer nothing and are cut',
    unit: 'of 500',
    better: 'lower',
    floor: 0,
    target: 0,
  },
} as const;

type Counts = Record<ReplyVerdict, number>;

interface Judged {
  reply: Reply;
  /** The verdict on each reader. */
  verdicts: Record<string, ReplyVerdict>;
}

/** E1 to E3: how well the new text of a reply is found, compared with four libraries that read the same mails. */
export const replies: Group = async (bench) => {
  const made = (['tuned', 'held out'] as const).flatMap(readReplies);
  const judged: Judged[] = [];
  for (const reply of made) judged.push({ reply, verdicts: await readAll(reply) });
  const cut = await countCut(readOtherMails());
  show(bench, judged, cut);
  const share = (verdict: ReplyVerdict, of: Judged[]) => [
    { value: (100 * of.filter(({ verdicts }) => verdicts[server] === verdict).length) / of.length },
  ];
  const heldOut = judged.filter(({ reply }) => reply.half === 'held out');
  return [
    judge(goals.right, share('right', judged)),
    judge(goals.heldOut, share('right', heldOut)),
    judge(goals.lost, share('lost', judged)),
    judge(goals.cut, [{ value: cut[server] ?? 0 }]),
  ] satisfies Outcome[];
};

async function readAll(reply: Reply): Promise<Judged['verdicts']> {
  const { text, extracted } = await extractReply(reply, { isReply: true });
  const found = { [server]: extracted, ...byLibraries(text) };
  return Object.fromEntries(Object.entries(found).map(([reader, one]) => [reader, judgeReply(reply, one)]));
}

function byLibraries(text: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(replyLibraries).map(([name, read]) => {
      try {
        return [name, read(text)];
      } catch {
        return [name, text];
      }
    }),
  );
}

async function countCut(mails: OtherMail[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const mail of mails) {
    const { text, extracted } = await extractReply(mail, { isReply: false });
    for (const [reader, found] of Object.entries({ [server]: extracted, ...byLibraries(text) }))
      counts[reader] = (counts[reader] ?? 0) + (fold(found) === fold(text) ? 0 : 1);
  }
  return counts;
}

const kinds: Record<string, (reply: Reply) => string> = {
  half: ({ half }) => half,
  layout: ({ layout }) => layout,
  language: ({ language }) => language,
  client: ({ client, half }) => `${client} (${half})`,
};

function show(bench: Bench, judged: Judged[], cut: Record<string, number>): void {
  const readers = [server, ...Object.keys(replyLibraries)];
  bench.progress(`${judged.length} replies: right / lost / left`);
  print('all', readers, judged);
  for (const readKind of Object.values(kinds))
    for (const kind of new Set(judged.map(({ reply }) => readKind(reply))))
      print(
        kind,
        readers,
        judged.filter(({ reply }) => readKind(reply) === kind),
      );
  console.log(
    row(
      'cut, of 500 that answer nothing',
      readers.map((reader) => String(cut[reader] ?? 0)),
    ),
  );
}

function print(kind: string, readers: string[], of: Judged[]): void {
  if (kind === 'all') console.log(row('', readers));
  const cells = readers.map((reader) => {
    const counts: Counts = { right: 0, lost: 0, left: 0 };
    for (const { verdicts } of of) counts[verdicts[reader] ?? 'left'] += 1;
    return `${counts.right} / ${counts.lost} / ${counts.left}`;
  });
  console.log(row(`${kind} (${of.length})`, cells));
}

function row(head: string, cells: string[]): string {
  return [head.padEnd(52), ...cells.map((cell) => cell.padStart(24))].join('');
}
