import { judgeText, type TextVerdict } from '@postrider/testkit/texts/judge-text.ts';
import { type MadeText, makeTexts } from '@postrider/testkit/texts/made-texts.ts';
import { readMadeText } from '@postrider/testkit/texts/read-made-text.ts';
import { judge, type Outcome } from '../measure/goal.ts';
import { textLibraries } from '../peers/text-libraries.ts';
import type { Group } from '../run/group.ts';

const server = 'postrider';
const goals = {
  tuned: {
    id: 'E4',
    what: 'texts of HTML that are right',
    unit: '%',
    better: 'higher',
    floor: 95,
    target: 100,
  },
  heldOut: {
    id: 'E4 b',
    what: 'the same as E4 in the half that is held out',
    unit: '%',
    better: 'higher',
    floor: 90,
    target: 100,
  },
} as const;

interface Judged {
  made: MadeText;
  /** The verdict on each reader. */
  verdicts: Record<string, TextVerdict>;
}

/** E4: how well the text of receipts, invoices, journeys and reports is read from their HTML, compared with a library. */
export const texts: Group = async (bench) => {
  const readers = { [server]: readMadeText, ...textLibraries };
  const judged: Judged[] = (['tuned', 'held out'] as const).flatMap(makeTexts).map((made) => ({
    made,
    verdicts: Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [name, judgeText(made, read(made.html))]),
    ),
  }));
  const kinds = [
    ...new Set(
      judged.flatMap(({ made: { half, kind, sender } }) => [half, `${half}: ${kind}`, `${half}: ${sender}`]),
    ),
  ];
  const ofKind = (wanted: string) =>
    judged.filter(({ made: { half, kind, sender } }) =>
      [half, `${half}: ${kind}`, `${half}: ${sender}`].includes(wanted),
    );
  bench.addTable({
    title: 'Texts of HTML mail: right / lost / wrong',
    columns: ['', ...Object.keys(readers)],
    rows: kinds.map((kind) => [
      `${kind} (${ofKind(kind).length})`,
      ...Object.keys(readers).map((reader) => describeCounts(ofKind(kind), reader)),
    ]),
  });
  const share = (half: string) => {
    const of = ofKind(half);
    return [{ value: (100 * of.filter(({ verdicts }) => verdicts[server] === 'right').length) / of.length }];
  };
  return [judge(goals.tuned, share('tuned')), judge(goals.heldOut, share('held out'))] satisfies Outcome[];
};

function describeCounts(judged: Judged[], reader: string): string {
  const count = (wanted: TextVerdict) => judged.filter(({ verdicts }) => verdicts[reader] === wanted).length;
  return `${count('right')} / ${count('lost')} / ${count('wrong')}`;
}
