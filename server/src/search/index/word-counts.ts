const wordsMax = 400_000;
/**
 * Counts are exact up to twice this number. A larger one grows at random, in steps of this share of itself, so that a common word is seldom
 * written.
 */
const stepShare = 32;

type Words = Map<string, number>;

/**
 * Roughly how many messages have each word of the vocabulary, as far as that is remembered. Words are forgotten if 200,000 others were used
 * since.
 */
export class WordCounts {
  #young = new Map<string, Words>();
  #old = new Map<string, Words>();
  #youngSize = 0;

  /** Returns the number of messages with a word; undefined if it is not remembered. */
  get(workspaceId: string, word: string): number | undefined {
    const young = this.#young.get(workspaceId)?.get(word);
    if (young !== undefined) return young;
    const old = this.#old.get(workspaceId)?.get(word);
    if (old !== undefined) this.set(workspaceId, word, old);
    return old;
  }

  set(workspaceId: string, word: string, count: number): void {
    const words = this.#young.get(workspaceId) ?? new Map<string, number>();
    if (!words.has(word)) this.#youngSize += 1;
    words.set(word, count);
    this.#young.set(workspaceId, words);
    if (this.#youngSize * 2 < wordsMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSize = 0;
  }

  forget(workspaceId: string, words: string[]): void {
    for (const words_ of [this.#young.get(workspaceId), this.#old.get(workspaceId)])
      for (const word of words) words_?.delete(word);
  }

  /** Counts one more message with a remembered word. Returns by how much its number in the database is to grow, which is usually 0. */
  count(workspaceId: string, word: string, count: number): number {
    const step = Math.max(1, Math.floor(count / stepShare));
    if (Math.random() * step >= 1) return 0;
    this.set(workspaceId, word, count + step);
    return step;
  }
}
