/** Returns whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
