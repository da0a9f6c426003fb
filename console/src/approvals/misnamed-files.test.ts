import { expect, test } from 'vitest';
import { misnamedFiles } from './misnamed-files.ts';

const isMisnamed = (filename: string, mime_type: string) =>
  misnamedFiles([{ filename, mime_type }]).length === 1;

test.each([
  ['invoice.exe', 'application/pdf'],
  ['invoice.pdf.exe', 'application/pdf'],
  ['photo.scr', 'image/png'],
  ['invoice.pdf', 'text/plain'],
  ['notes.lnk', 'text/plain; charset=utf-8'],
  ['a.html', 'image/png'],
  ['a.js', 'application/zip'],
])('%s is not named as %s', (name, type) => {
  expect(isMisnamed(name, type)).toBe(true);
});

test.each([
  ['Invoice.PDF', 'application/pdf'],
  ['photo.jpg', 'image/jpeg'],
  ['plan.txt', 'text/plain'],
  ['server.log', 'text/plain'],
  ['index.ts', 'text/plain'],
  ['data.csv', 'text/csv'],
  ['data.csv', 'application/vnd.ms-excel'],
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.docx', 'application/zip'],
  ['a.tar.gz', 'application/gzip'],
  ['setup.exe', 'application/octet-stream'],
  ['data.json', 'application/json'],
  ['invite.ics', 'text/calendar'],
  ['README', 'application/pdf'],
])('%s may be %s', (name, type) => {
  expect(isMisnamed(name, type)).toBe(false);
});
