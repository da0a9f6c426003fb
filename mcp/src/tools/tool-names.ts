/** The names of the tools, which never change. */
export const toolNames = [
  'create_inbox',
  'list_inboxes',
  'delete_inbox',
  'send_message',
  'reply_to_message',
  'forward_message',
  'get_message',
  'search_messages',
  'list_threads',
  'get_thread',
  'create_draft',
  'list_drafts',
  'send_draft',
  'add_domain',
  'get_domain',
  'create_webhook',
  'list_webhooks',
  'delete_webhook',
  'add_address_rule',
  'list_address_rules',
  'delete_address_rule',
] as const;

/** The name of a tool. */
export type ToolName = (typeof toolNames)[number];
