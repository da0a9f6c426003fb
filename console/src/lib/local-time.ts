/** Returns the value of a field for a local date and time; empty for a text that is no time. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the time that is entered in a field for a local date and time, in ISO 8601; empty for an incomplete one. */
export function fromLocalInput(value: string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Returns nine o'clock of the next day in the reader's zone, in ISO 8601. */
export function tomorrowMorning(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).toISOString();
}
