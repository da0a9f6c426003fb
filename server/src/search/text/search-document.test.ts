import { describe, expect, test } from 'vitest';
import type { DocumentFields } from './search-document.ts';
import { searchDocument } from './search-document.ts';

const fields: DocumentFields = {
  workspaceId: 'wsp_1',
  inboxId: 'inb_1',
  bucketId: 71,
  blockId: 3,
  direction: 'inbound',
  hasAttachment: true,
  subject: 'Your invoices',
  from: { address: 'ada.l@mail.example.com', name: 'Ada Lovelace' },
  recipients: [{ address: 'shop@test.example' }],
  newText: "It's INV-2026-0419.",
  restText: 'Old text',
  files: [{ name: 'Rechnung.pdf', text: 'Betrag' }],
};

describe('searchDocument', () => {
  test('holds words with positions and weights, and facets without', () => {
    const { vector, words } = searchDocument(fields);
    const parts = vector.split(' ');
    expect(parts).toEqual(
      expect.arrayContaining([
        "'@b1z'",
        "'@k3'",
        "'@wwsp_1'",
        "'in:inb_1'",
        "'is:inbound'",
        "'has:attachment'",
        "'f:ada.l@mail.example.com'",
        "'f:example.com'",
        "'f:lovelace'",
        "'t:shop@test.example'",
        "'s:~invoic'",
        "'n:pdf'",
        "'invoices':2A",
        "'~invoic':2A",
      ]),
    );
    expect(vector).toMatch(/'inv20260419':\d+C/);
    expect(vector).toMatch(/'betrag':\d+D/);
    expect(words).toContain('invoices');
    expect(words.filter((word) => /^~|:/.test(word))).toEqual(['in:inb_1', 'is:inbound', 'has:attachment']);
  });
});
