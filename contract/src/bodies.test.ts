import { describe, expect, it } from 'vitest';
import { issuePaths } from '../test/issue-paths.ts';
import {
  CreateDomain,
  CreateDraft,
  CreateInbox,
  CreateLabel,
  CreateRule,
  CreateSubdomain,
  CreateSuppression,
  CreateWebhook,
  ReplyToMessage,
  UpdateInbox,
} from './index.ts';

describe('bodies', () => {
  it('of a reply: text or HTML is needed', () => {
    expect(issuePaths(ReplyToMessage, {})).toEqual(['text']);
    expect(issuePaths(ReplyToMessage, { text: '' })).toEqual([]);
    expect(issuePaths(ReplyToMessage, { html: '<p>', reply_all: true, force: false })).toEqual([]);
    expect(issuePaths(ReplyToMessage, { text: 'a', reply_all: 'true' })).toEqual(['reply_all']);
    expect(issuePaths(ReplyToMessage, { text: 'a', to: ['a@b.c'] })).toEqual(['to']);
  });

  it('of an inbox: the local part becomes lower case, then is checked', () => {
    expect(CreateInbox.parse({ local_part: 'Support.Team_1-a' }).local_part).toBe('support.team_1-a');
    expect(issuePaths(CreateInbox, { local_part: 'a'.repeat(64) })).toEqual([]);
    for (const bad of ['', '.a', 'a.', 'a..b', 'a b', 'a@b', 'a+b', 'é', '\u212a', 'a\n', 'a'.repeat(65)]) {
      expect(issuePaths(CreateInbox, { local_part: bad }), bad).toContain('local_part');
    }
    expect(issuePaths(CreateInbox, { local_part: 'a', display_name: 'A\r\nBcc: b' })).toEqual([
      'display_name',
    ]);
    expect(issuePaths(CreateInbox, { local_part: 'a', display_name: null, domain_id: null })).toEqual([]);
    expect(issuePaths(UpdateInbox, {})).toEqual([]);
  });

  it('of a label: a name of 1 to 64 characters and a hex color', () => {
    expect(CreateLabel.parse({ name: '  urgent ' }).name).toBe('urgent');
    expect(issuePaths(CreateLabel, { name: '😀'.repeat(64), color: '#F80' })).toEqual([]);
    for (const name of ['', '  ', 'a'.repeat(65), 'a\nb', 'a\0', '\ud800'])
      expect(issuePaths(CreateLabel, { name })).toContain('name');
    for (const color of ['red', '#ff', '#ff88000', 'ff8800', '#gg0000', '']) {
      expect(issuePaths(CreateLabel, { name: 'a', color }), color).toEqual(['color']);
    }
  });

  it('of a rule: all three fields, with an address or a domain as the pattern', () => {
    expect(issuePaths(CreateRule, {})).toEqual(['kind', 'direction', 'pattern']);
    const rule = { kind: 'block', direction: 'inbound' };
    for (const pattern of ['example.com', 'Ada@Example.com', '例え.jp'])
      expect(issuePaths(CreateRule, { ...rule, pattern })).toEqual([]);
    for (const pattern of [
      '',
      '*',
      '*.example.com',
      '@example.com',
      'a b',
      'Ada <ada@example.com>',
      'example.com\n',
    ]) {
      expect(issuePaths(CreateRule, { ...rule, pattern }), pattern).toEqual(['pattern']);
    }
  });

  it('of a webhook: an http or https URL and known events, each once', () => {
    const hook = { url: 'https://example.com/a?b=c', events: ['message.received', 'message.received'] };
    expect(CreateWebhook.parse(hook).events).toEqual(['message.received']);
    expect(issuePaths(CreateWebhook, { ...hook, events: [] })).toEqual(['events']);
    expect(issuePaths(CreateWebhook, { ...hook, events: ['message.opened'] })).toEqual(['events.0']);
    for (const url of [
      '',
      'example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'https://',
      'https://a b',
      ' https://a.example',
      'https://a.example\n',
    ]) {
      expect(issuePaths(CreateWebhook, { ...hook, url }), url).toEqual(['url']);
    }
    expect(issuePaths(CreateWebhook, { ...hook, url: `https://example.com/${'a'.repeat(2_048)}` })).toContain(
      'url',
    );
  });

  it('of a domain, a subdomain, a suppression: names and addresses are checked', () => {
    for (const hostname of ['localhost', 'a..b', 'ada@example.com', 'https://example.com', '']) {
      expect(issuePaths(CreateDomain, { hostname }), hostname).toEqual(['hostname']);
    }
    expect(CreateSubdomain.parse({ label: 'Acme-1' }).label).toBe('acme-1');
    for (const label of ['', '-a', 'a.b', 'a_b', 'a'.repeat(64)])
      expect(issuePaths(CreateSubdomain, { label })).toEqual(['label']);
    expect(issuePaths(CreateSuppression, { address: 'Ada <ada@example.com>' })).toEqual(['address']);
  });

  it('of a draft: every field can be cleared, and a time has a zone', () => {
    const draft = {
      inbox_id: 'inb_1',
      subject: null,
      text: null,
      html: null,
      scheduled_at: null,
      reply_to_message_id: null,
    };
    expect(issuePaths(CreateDraft, draft)).toEqual([]);
    for (const scheduled_at of [
      '2026-11-20T09:30:00Z',
      '2026-11-20T09:30:00.123456+02:00',
      '1970-01-01T00:00:00Z',
    ]) {
      expect(issuePaths(CreateDraft, { ...draft, scheduled_at })).toEqual([]);
    }
    for (const bad of [
      '',
      'tomorrow',
      '2026-11-20',
      '2026-11-20T09:30:00',
      '2026-02-30T09:30:00Z',
      '0000-01-01T00:00:00Z',
      1_763_630_000,
    ]) {
      expect(issuePaths(CreateDraft, { ...draft, scheduled_at: bad }), String(bad)).toContain('scheduled_at');
    }
  });
});
