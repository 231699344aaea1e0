// Types of the parsers without own types, as far as they are used. Additional events:
// busboy: `file` with name, stream and metadata; dicer: `part` with a stream that emits `header`.

declare module 'busboy' {
  import type { Writable } from 'node:stream'
  export default function busboy(options: { headers: Record<string, string>; limits: Record<string, number> }): Writable
}

declare module 'dicer' {
  import { Writable } from 'node:stream'
  export default class Dicer extends Writable {
    constructor(options: { boundary: string })
  }
}
