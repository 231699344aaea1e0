// What is used of the parsers that bring no types. Their events beyond those of a stream:
// busboy: `file` with name, stream and what is known of it; dicer: `part` with its stream, which has `header`.

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
