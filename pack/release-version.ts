// Order of the versions of releases: that of Debian (deb-version(7)) and of `sort -V`, which the launcher uses. Digits
// are compared as numbers, and `~` is before everything, also the end: 1.2~rc1 is lower than 1.2.

/** Weight of a character that is no digit: `~`, the end, letters, others. */
function weightOf(character: string | undefined): number {
  if (character === '~') return -1
  if (character === undefined || /\d/.test(character)) return 0
  return /[a-z]/i.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256
}

/** Compares the start of two texts that have no digits there. */
function comparePrefixes(one: string, other: string): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const difference = weightOf(one[index]) - weightOf(other[index])
    if (difference !== 0) return difference
  }
  return 0
}

/** @returns below 0 if the first version is lower, above 0 if it is higher, else 0 */
export function compareReleaseVersions(one: string, other: string): number {
  const [parts, otherParts] = [one, other].map((version) => version.split(/(\d+)/))
  const count = Math.max(parts?.length ?? 0, otherParts?.length ?? 0)
  for (let index = 0; index < count; index++) {
    const [part = '', otherPart = ''] = [parts?.[index], otherParts?.[index]]
    const difference = index % 2 ? Number(part) - Number(otherPart) : comparePrefixes(part, otherPart)
    if (difference !== 0) return difference
  }
  return 0
}
