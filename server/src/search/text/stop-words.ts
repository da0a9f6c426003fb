const lists = [
  // English
  'a an the and or but if of at by for with about to from in on up out off over under is are was were be been being am do does did have has had',
  'i me my we our us you your he him his she her it its they them their this that these those as so not no nor than then too very can will just',
  'what which who whom whose how when where why',
  // German
  'der die das den dem des ein eine einer eines einem einen und oder aber ist sind war im in am zu zum zur von vom mit auf fur bei aus nach als auch nicht ich du er sie es wir ihr mein dein was wann wo wie wer warum',
  // French
  'le la les un une des du de et ou est sont dans sur pour par avec ce cette ces que qui ne pas il elle nous vous ils je tu au aux se sa son ses l d quand comment quoi',
  // Spanish and Portuguese
  'el los las una unos unas y o del al es son en con por para que se su sus lo como no mi tu os as um uma e do da dos das no na nos nas ao com seu sua cuando donde quien',
  // Italian
  'il lo gli i uno di che non per una sono della del dei delle nel nella',
  // Dutch
  'het een van ik te dat op aan met voor zijn er maar om hem dan zou of wat mijn men dit zo door over ze',
];

const stopWords = new Set(lists.flatMap((words) => words.split(' ')));

/** Returns whether a folded word is so common in a language of mail that a query is better off without it. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
