// The numbers in README.md are the enforced ones.

export interface Claims {
  /** KiB. */
  brotli: number
  gzip: number
  requests: number
}

/** What a README says of the console's weight; undefined when it does not say it in these words. */
export function claimedWeight(readme: string): Claims | undefined {
  const words = /at most (\d+) KiB with brotli and (\d+) KiB with gzip, in (\d+) requests/
  const [, brotli, gzip, requests] = words.exec(readme.replaceAll(/\s+/g, ' ')) ?? []
  return brotli ? { brotli: Number(brotli), gzip: Number(gzip), requests: Number(requests) } : undefined
}

/** Variables of make with their default, as a README says them: `PORT` (3000). */
export function claimedDefaults(readme: string): Record<string, string> {
  const found = readme.matchAll(/`([A-Z_]+)` \(([^),;]+)/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value.trim()]))
}

/** Variables of a Makefile that may be given, with their defaults. */
export function defaults(makefile: string): Record<string, string> {
  return Object.fromEntries([...makefile.matchAll(/^([A-Z_]+) \?= (\S+)$/gm)].map(([, name, value]) => [name, value]))
}
