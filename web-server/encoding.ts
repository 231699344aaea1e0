// Content negotiation by Accept-Encoding (RFC 9110, 12.5.3).

export type Encoding = 'br' | 'gzip' | 'identity'

/** Headers whose choice is remembered: browsers send only a few different ones. */
const REMEMBERED_MAX = 100
const choices = new Map<readonly Encoding[], Map<string, Encoding | undefined>>()

/**
 * The encoding that a client prefers, by the q-values of its header. Of equal weights the first one of `offered` wins.
 * @returns undefined when the client accepts none of them
 */
export function chooseEncoding(accept: string | null, offered: readonly Encoding[]): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name) weights.set(name === 'x-gzip' ? 'gzip' : name, q === undefined ? 1 : Number(q) || 0)
  }
  const any = weights.get('*')
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? any ?? (encoding === 'identity' ? 0.001 : 0)
  const [best] = offered.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best
}

/** Like `chooseEncoding`, and remembers the choice. `offered` has to be the same array for the same encodings. */
export function preferredEncoding(accept: string | null, offered: readonly Encoding[]): Encoding | undefined {
  const remembered = choices.get(offered) ?? new Map<string, Encoding | undefined>()
  choices.set(offered, remembered)
  const header = accept ?? ''
  if (remembered.has(header)) return remembered.get(header)
  const choice = chooseEncoding(accept, offered)
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  remembered.set(header, choice)
  return choice
}
