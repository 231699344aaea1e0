// Parser of the Videohub Ethernet Protocol (docs/wire.md, "Videohub Ethernet Protocol"). A client sends blocks of
// lines: a header in capitals with a colon, one line for each item, and an empty line at the end.
import { isUtf8 } from 'node:buffer'

/** Bytes of a line. The longest one of a client is an index with a label of 64 characters. */
export const LINE_BYTES_MAX = 1024
/** Lines and bytes of a block. The largest block of a client has a line for each of 64 outputs. */
export const BLOCK_LINES_MAX = 256
export const BLOCK_BYTES_MAX = 32_768

const LINE_FEED = 0x0a

export interface Block {
  /** In capitals, without the colon. Undefined if the first line is not a header, or a line is not UTF-8. */
  header: string | undefined
  /** Without the header and the empty line. */
  lines: string[]
}

/**
 * First line of an HTTP request. A page of any site can make a browser post a text to a port of its network; the blocks
 * in that text must not be carried out.
 */
const HTTP_REQUEST = / HTTP\/\d/

/** A line or block is too long, or the client speaks HTTP. The connection cannot be used any more. */
export class BlockError extends Error {}

export class BlockParser {
  /** Parts of the unfinished line. */
  #parts: Buffer[] = []
  #partBytes = 0
  #lines: string[] = []
  #blockBytes = 0
  #isValid = true;

  /**
   * Takes received bytes, which may end anywhere, and yields the blocks that they complete.
   * @throws BlockError
   */
  *push(bytes: Buffer): Generator<Block, void> {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#append(bytes.subarray(start, end))
      start = end + 1
      const block = this.#endLine()
      if (block) yield block
    }
    this.#append(bytes.subarray(start))
  }

  #append(part: Buffer): void {
    if (part.length === 0) return
    this.#partBytes += part.length
    if (this.#partBytes > LINE_BYTES_MAX) throw new BlockError('line too long')
    // A copy, because a part of a few bytes would keep the whole received buffer in memory.
    this.#parts.push(Buffer.from(part))
  }

  /** Ends a line. Returns the block that an empty line has completed. */
  #endLine(): Block | undefined {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
    this.#blockBytes += this.#partBytes
    this.#parts = []
    this.#partBytes = 0
    // Some clients end lines with CR LF.
    const line = bytes.toString().replace(/\r$/, '')
    if (line !== '') {
      if (!isUtf8(bytes)) this.#isValid = false
      if (this.#lines.length === 0 && HTTP_REQUEST.test(line)) throw new BlockError('HTTP')
      this.#lines.push(line)
      if (this.#lines.length > BLOCK_LINES_MAX || this.#blockBytes > BLOCK_BYTES_MAX)
        throw new BlockError('block too long')
      return undefined
    }
    const [first, ...lines] = this.#lines
    const isValid = this.#isValid
    this.#lines = []
    this.#blockBytes = 0
    this.#isValid = true
    // An empty line between blocks.
    if (first === undefined) return undefined
    const header = /^([A-Z ]+):\s*$/i.exec(first)?.[1]?.toUpperCase()
    return { header: isValid ? header : undefined, lines }
  }
}
