/** Followers of the log of all workspaces. Each has a place in it of its own, in the row of `event_followers` with its name. */
export const followers = { webhooks: 'webhooks' } as const;
