// Reads the numbers in README.md, which must be the enforced ones.

export interface Claims {
  /** In KiB. */
  brotli: number
  gzip: number
  requests: number
}

/** Reads the size of the console from a README; undefined when the sentence is not found. */
export function claimedWeight(readme: string): Claims | undefined {
  const pattern = /at most ([\d.]+) KiB with brotli and ([\d.]+) KiB with gzip, in (\d+) requests/
  const [, brotli, gzip, requests] = pattern.exec(readme.replaceAll(/\s+/g, ' ')) ?? []
  return brotli ? { brotli: Number(brotli), gzip: Number(gzip), requests: Number(requests) } : undefined
}

/** Reads make variables and their defaults from a README: `PORT` (3000). */
export function claimedDefaults(readme: string): Record<string, string> {
  const matches = readme.matchAll(/`([A-Z_]+)` \(([^),;]+)/g)
  return Object.fromEntries([...matches].map(([, name = '', value = '']) => [name, value.trim()]))
}

/** Reads the variables of a Makefile that the caller can set, with their defaults. */
export function defaults(makefile: string): Record<string, string> {
  return Object.fromEntries([...makefile.matchAll(/^([A-Z_]+) \?= (\S+)$/gm)].map(([, name, value]) => [name, value]))
}
