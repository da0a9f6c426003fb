/**
 * Returns the Message-IDs that a message accepted by Amazon SES may have, since SES replaces the one that it was sent with. The domain of
 * the id depends on the region. The first region, us-east-1, uses `email.amazonses.com`, and so do compatible services.
 */
export function sesMessageIds(providerMessageId: string, region: string): string[] {
  return [`<${providerMessageId}@${region}.amazonses.com>`, `<${providerMessageId}@email.amazonses.com>`];
}

/** Returns the region of a host name of the SMTP interface of Amazon SES. Returns null for any other host. */
export function sesRegionOf(host: string): string | null {
  return (
    /^email-smtp(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/i.exec(host)?.[1]?.toLowerCase() ?? null
  );
}
