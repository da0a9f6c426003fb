import { fillTemplates } from './fill-templates.ts';
import type { MadeMail } from './made-mail.ts';
import { tellStories } from './tell-stories.ts';

/** The seed with which the judged corpus is made. Judgements hold for every seed, but figures are comparable only with the same one. */
export const corpusSeed = 20_261_127;

/** Returns the mails of the corpus in the order of their dates, the same for the same seed. */
export function makeCorpus(seed: number = corpusSeed): MadeMail[] {
  const mails = [...tellStories(), ...fillTemplates(seed)];
  return mails.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
}
