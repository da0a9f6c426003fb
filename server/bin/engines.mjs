// Plain JavaScript that every Node with modules reads, because it tells people which Node they need.

/**
 * Says whether a version of Node is in a range such as `^22.19.0 || >=24.6.0`: the only two kinds that the package has.
 * @param {string} range
 * @param {string} version such as `22.19.0`
 */
export function isInRange(range, version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, kind, leastMajor, leastMinor] = /^\s*(\^|>=)(\d+)\.(\d+)\.0\s*$/.exec(part) || [];
    const isLater = kind === '>=' && major > Number(leastMajor);
    return isLater || (major === Number(leastMajor) && minor >= Number(leastMinor));
  });
}

/**
 * Returns a range in words: `22.19 or newer in 22, or 24.6 or newer`.
 * @param {string} range
 */
export function sayRange(range) {
  return range
    .replace(/\^(\d+)\.(\d+)\.0/g, '$1.$2 or newer in $1')
    .replace(/>=(\d+\.\d+)\.0/g, '$1 or newer')
    .replace(/ \|\| /g, ', or ');
}
