// The alias that is proposed for a preset of a source.
import { sourceNameOf } from '../../../contract/ndi/missing.ts'
import { streamName } from '../../../contract/rules/rules.ts'

/** Characters that a name may have; the rest is replaced by spaces. */
const NOT_ALLOWED = /[^\p{L}\p{M}\p{N} _\-#().+'[\]]+/gu

/**
 * The name of the source without its machine, or with it if that is taken.
 * @param name `MACHINE (Source)`
 * @returns empty if no name can be made of it
 */
export function proposeAlias(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((each) => each.toLowerCase()))
  const candidates = [sourceNameOf(name), name].map((text) => text.replace(NOT_ALLOWED, ' ').trim())
  return candidates.find((text) => streamName(text) === undefined && !used.has(text.toLowerCase())) ?? ''
}
