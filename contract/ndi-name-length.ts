// The names of NDI sources, and their length.
import { NDI_NAME_BYTES } from './limits.ts'

/** Number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** The name under which a machine announces a source. */
export const announcedName = (machine: string, name: string): string => `${machine} (${name})`

/** Name of a destination of the router without the machine. */
export const destinationName = (base: string, position: number): string => `${base} ${position}`

/**
 * The longest name that a source of a machine can have, in bytes of UTF-8. The NDI runtime never announces a longer
 * one.
 */
export const ndiNameBytes = (machine: string): number =>
  Math.max(0, NDI_NAME_BYTES - utf8Length(announcedName(machine, '')))
