/** Returns the address of the server from the one of its API, which ends with the version. */
export function serverUrl(apiUrl: string): string {
  return apiUrl.replace(/\/v\d+\/?$/, '');
}
