import { type Access, isWithin } from '@postrider/contract';
import type { KeyPermissions } from '../key-access.ts';
import type { Settings } from '../settings.ts';
import type { Tool } from '../tool.ts';
import { addDomain, getDomain } from './domains.ts';
import { createDraft, listDrafts } from './drafts.ts';
import { forwardMessage } from './forward-message.ts';
import { getMessage } from './get-message.ts';
import { createInbox, deleteInbox, listInboxes } from './inboxes.ts';
import { replyToMessage } from './reply-to-message.ts';
import { addAddressRule, deleteAddressRule, listAddressRules } from './rules.ts';
import { searchMessages } from './search-messages.ts';
import { sendDraft } from './send-draft.ts';
import { sendMessage } from './send-message.ts';
import { getThread, listThreads } from './threads.ts';
import type { ToolName } from './tool-names.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts';

/** All tools, the most used ones first. */
export const allTools: readonly Tool[] = [
  listInboxes,
  createInbox,
  searchMessages,
  getMessage,
  listThreads,
  getThread,
  sendMessage,
  replyToMessage,
  forwardMessage,
  createDraft,
  listDrafts,
  sendDraft,
  deleteInbox,
  listAddressRules,
  addAddressRule,
  deleteAddressRule,
  addDomain,
  getDomain,
  listWebhooks,
  createWebhook,
  deleteWebhook,
];

/** Returns the tools that the settings allow. A tool that is not allowed is not listed at all. */
export function toolsFor({ readOnly, draftsOnly, inboxes, recipients, tools }: Settings): Tool[] {
  const forms = readOnly ? allTools.map(readingForm) : allTools;
  const allowed = forms.filter((tool) => {
    const { name, effect, ofWorkspace } = tool;
    if (tools !== null && !tools.includes(name)) return false;
    if (readOnly && effect !== 'read') return false;
    // A person sends the drafts.
    if (draftsOnly && name === 'send_draft') return false;
    // A webhook receives whole mails, so it would be a way to send them to anyone.
    if ((draftsOnly || recipients !== null) && name === 'create_webhook') return false;
    // A caller that is limited to some inboxes must not change what all inboxes share.
    return inboxes === null || effect === 'read' || !ofWorkspace;
  });
  return draftsOnly ? allowed.map(asDraftTool) : allowed;
}

/**
 * Returns the tools that the key is allowed to use. For a read-only key, some of them lose the arguments that change something.
 */
export function openTools(permissions: KeyPermissions, tools: readonly Tool[]): Tool[] {
  return tools
    .map((tool) => (isOpenTo(permissions, tool) ? tool : readingForm(tool)))
    .filter((tool) => isOpenTo(permissions, tool));
}

function readingForm(tool: Tool): Tool {
  return tool.reading ?? tool;
}

function isOpenTo({ access, sends, held }: KeyPermissions, { name, effect }: Tool): boolean {
  if (held && waysOut.includes(name)) return false;
  if (effect === 'send' && !sends) return false;
  return isWithin(needed[name] ?? (effect === 'read' ? 'read' : 'inbox'), access);
}

/** Tools whose arguments leave the server in a way other than as a message. */
const waysOut: ToolName[] = ['create_webhook', 'add_domain'];

/** The rights of tools that change more than one inbox. */
const needed: Partial<Record<ToolName, Access>> = {
  create_inbox: 'inboxes',
  delete_inbox: 'inboxes',
  add_domain: 'workspace',
  add_address_rule: 'workspace',
  delete_address_rule: 'workspace',
};

/** Creating the same draft twice creates two drafts. */
function asDraftTool(tool: Tool): Tool {
  if (tool.effect !== 'send') return tool;
  const description = tool.description
    .replace('A repeated call sends once.', '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return {
    ...tool,
    effect: 'write',
    repeats: false,
    description: `${description} Here it makes a draft, which a person has to send.`,
  };
}
