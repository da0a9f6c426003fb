/** How the places of a resource are divided between lanes. */
export interface LaneRules {
  placesMax: number;
  /** How many places one lane leaves to the others. */
  keptForOthers: number;
  /** How many places a lane has after a failure, until its next success. */
  failingMax: number;
  /** How many places all failing lanes have together; as many as there are, by default. */
  failingInAllMax?: number;
}

/** How many failing lanes are remembered. The one that failed first is forgotten first. */
const failingLanesMax = 1_000;

/**
 * Counts the places that each lane has, for example each destination of mail. A lane that gets nowhere, and whose work therefore takes
 * long, cannot take the places of the others.
 */
export class Lanes {
  readonly #rules: LaneRules;
  readonly #taken = new Map<string, number>();
  readonly #failing = new Set<string>();
  #underway = 0;

  constructor(rules: LaneRules) {
    this.#rules = rules;
  }

  /** The number of free places, and thereby the most that one lane can have. */
  get free(): number {
    return Math.max(0, this.#rules.placesMax - this.#underway);
  }

  /** How many places an idle lane can have. */
  get roomOfIdle(): number {
    return Math.max(1, this.#rules.placesMax - this.#rules.keptForOthers);
  }

  /** The lanes whose last work failed. */
  get failing(): string[] {
    return [...this.#failing];
  }

  /** How many more places all failing lanes may take together. */
  get freeOfFailing(): number {
    const { placesMax, failingInAllMax = placesMax } = this.#rules;
    let taken = 0;
    for (const [lane, places] of this.#taken) if (this.#failing.has(lane)) taken += places;
    return Math.max(0, Math.min(this.free, failingInAllMax - taken));
  }

  /** Returns how many more places a lane may take. */
  roomOf(lane: string): number {
    return this.#roomOf(lane, this.freeOfFailing);
  }

  #roomOf(lane: string, freeOfFailing: number): number {
    const isFailing = this.#failing.has(lane);
    const most = isFailing ? this.#rules.failingMax : this.roomOfIdle;
    const free = isFailing ? freeOfFailing : this.free;
    return Math.max(0, Math.min(free, most - (this.#taken.get(lane) ?? 0)));
  }

  /** Returns the room of each lane that has places now or is failing. Failing lanes share what `freeOfFailing` says. */
  rooms(): Record<string, number> {
    const lanes = new Set([...this.#taken.keys(), ...this.#failing]);
    const { freeOfFailing } = this;
    return Object.fromEntries([...lanes].map((lane) => [lane, this.#roomOf(lane, freeOfFailing)]));
  }

  /** Takes a place. */
  enter(lane: string): void {
    this.#underway += 1;
    this.#taken.set(lane, (this.#taken.get(lane) ?? 0) + 1);
  }

  /** Gives a place back. */
  leave(lane: string): void {
    this.#underway -= 1;
    const left = (this.#taken.get(lane) ?? 0) - 1;
    if (left > 0) this.#taken.set(lane, left);
    else this.#taken.delete(lane);
  }

  /** Records whether the last work of a lane failed. */
  note(lane: string, hasFailed: boolean): void {
    this.#failing.delete(lane);
    if (!hasFailed) return;
    this.#failing.add(lane);
    const [first] = this.#failing;
    if (this.#failing.size > failingLanesMax && first !== undefined) this.#failing.delete(first);
  }
}
