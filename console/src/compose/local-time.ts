/** Returns a time as a field `datetime-local` takes it: in the reader's zone, to the minute. */
export function localInputTime(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())];
  return `${day.join('-')}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Returns the time of a field `datetime-local` in UTC; null for an incomplete one. */
export function utcOfLocalInput(value: string): string | null {
  const time = new Date(value);
  return value === '' || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Returns nine o'clock of the next day in the reader's zone. */
export function tomorrowMorning(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
}
