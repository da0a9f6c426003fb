/** Matches the paths of a route of the contract, such as `/v1/messages/:id/reply`. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
