const marks = /[\u061c\u200e\u200f]/g;
const controls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a text for people who decide by what they read: characters that turn the direction of what follows, so that `gpj.exe` reads as
 * `exe.jpg`, stand there as `[U+202E]`. Marks without a width are left out, since honest texts in Arabic and Hebrew have them.
 */
export function markDirections(text: string): string {
  return text
    .replace(marks, '')
    .replace(controls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}
