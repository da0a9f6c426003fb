/** Matches the paths of a route of the contract, such as `/v1/messages/:id/reply`, in upper or lower case as Express does. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i');
}
