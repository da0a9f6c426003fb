/** A link of an HTML text, with the text that people see. */
export interface ShownLink {
  text: string;
  href: string;
}

/** A link that shows another host than it leads to. */
export interface MisleadingLink {
  shown: string;
  leadsTo: string;
}

// It ends before `@`: people read the name before it as the host.
const named = /(?:https?:\/\/|www\.)[^\s/?#:<>"@]{1,253}/gi;
const whole = /^(?:[^\s@/:]{1,64}@)?((?:[\p{L}\p{N}_-]{1,63}\.){1,10}[\p{L}-]{2,63})(?:[/?#:]\S*)?$/u;

/** Returns the links whose text names a host that is neither the one that they lead to nor a domain above it, each once. */
export function misleadingLinks(links: readonly ShownLink[]): MisleadingLink[] {
  const found = new Map<string, MisleadingLink>();
  for (const { text, href } of links) {
    const leadsTo = targetHost(href);
    if (leadsTo === null) continue;
    for (const shown of hostsIn(text.trim()))
      if (!isWithin(leadsTo, shown) && !namesFile(href, text.trim()))
        found.set(`${shown} ${leadsTo}`, { shown, leadsTo });
  }
  return [...found.values()];
}

/** Returns the hosts that a text names: each with its protocol or `www.`, or the text itself if it is one address, host or URL. */
function hostsIn(text: string): string[] {
  const alone = whole.exec(text)?.[1];
  const hosts = alone === undefined ? [...text.matchAll(named)].map(([found]) => found) : [alone];
  return hosts.flatMap((host) => comparedHost(/^https?:/i.test(host) ? host : `http://${host}`) ?? []);
}

function targetHost(href: string): string | null {
  const address = /^mailto:[^?]*@([^?,]+)/i.exec(href)?.[1];
  return comparedHost(address === undefined ? href : `http://${address}`);
}

/** Returns the host of a URL as it is compared: in ASCII, and without `www.`. */
function comparedHost(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && hostname !== ''
    ? hostname.replace(/^www\./, '').replace(/\.$/, '')
    : null;
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The name of a file such as `report.pdf` looks like a host. */
function namesFile(href: string, text: string): boolean {
  return new URL(href).pathname.endsWith(`/${text}`);
}
