import { existsSync } from 'node:fs';

/** The packages of Debian that the scene needs, each with a file that it installs. */
const needed = {
  postfix: '/usr/sbin/postfix',
  opendkim: '/usr/sbin/opendkim',
  opendmarc: '/usr/sbin/opendmarc',
  'postfix-policyd-spf-python': '/usr/bin/policyd-spf',
  publicsuffix: '/usr/share/publicsuffix/public_suffix_list.dat',
  knot: '/usr/sbin/knotd',
  swaks: '/usr/bin/swaks',
  iproute2: '/usr/sbin/ip',
  openssl: '/usr/bin/openssl',
};

/**
 * Checks that the scene can be set up on this machine.
 *
 * @throws Error that says what is missing and how to get it.
 */
export function requireMailPrograms(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('real-mail needs Linux and root, for a network and mounts of its own.');
  const missing = Object.entries(needed).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  if (missing.length > 0)
    throw new Error(
      `real-mail needs more packages: apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    );
}
