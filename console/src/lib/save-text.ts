/** Lets the person save a text as a file. The browser creates the file and sends it nowhere. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download begins after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
