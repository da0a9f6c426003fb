/** The half of the replies: the one whose results were used to choose patterns, or the other. */
export type Half = 'tuned' | 'held out';

/** Texts that people write and that look like what clients add, by paragraphs. */
export const trickyBodies: Record<Half, string[][]> = {
  tuned: [
    ['As Knuth wrote:', 'Premature optimization is the root of all evil.', 'So we wait.'],
    [
      'The address is bob@example.com, and he wrote on 1/5/2026 at 10:00.\nSee https://example.com/who-wrote:what for the rest.',
    ],
    ['Three steps:\n\n-- unpack\n-- connect\n-- switch on', 'That is all.'],
    ['From: Berlin\nTo: Munich\nDate: 5 January', 'Please book that one.'],
    ['Run this:', 'if (a > b) {\n  return a;\n}', 'More than 5 bar is too much, by the way.'],
    ['Part one.', '---', 'Part two, after a rule.'],
    ['Please ask anna@example.com or carl@example.com:', 'one of them knows.'],
    ['To whom it may concern,\nA refund of 25 EUR is due.\nOn no account send a voucher.'],
    ['Monday 10:00: call\nTuesday 14:30: visit', 'Does that suit you?'],
    ['Is it true that "Bob wrote:" opens a quotation?', 'I do not think so.'],
    ['Sent from our office in Berlin: three boxes.\nSent with DHL: one more.'],
    ['The subject is: pumps\nThe date is: open\nThe place is: ours'],
  ],
  'held out': [
    ['In her letter of 5 January 2026 she wrote: no.', 'We should believe her.'],
    ['Date: 5 January 2026\nTime: 10:00\nPlace: room 7', 'Bring the drawings.'],
    ['* first\n* second', '_____', 'A line above, and this below it.'],
    ['At 10:00 on Monday we start.\nAt 12:00 there is lunch.\nAt 13:00 we go on:\nthe same room.'],
    ['My number is +49 30 1234567.\n\nCall me at 9:00 AM or write to me@example.org.'],
    ['Original message or copy, I do not care which.', 'Send either.'],
    ['Get the keys for the store.\nDownload the plan.\nSent them already? Good.'],
    ['On Friday, Carl told me this: we are late.', 'On Monday, Dora told me that: we are not.'],
    ['x > y means that x is larger.', '1 > 0, for example.'],
    ['Le 5 janvier or the fifth, whichever you say.\nAm I right?\nDo tell me.'],
    ['Cc: everybody, please.', 'Subject: to change, of course.'],
    ['Version 2.0 - 2026-01-05 10:00 - is out.\nSee below:', '1. new pump\n2. new hose'],
  ],
};
