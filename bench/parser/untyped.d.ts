// What is used of the parsers that bring no types.

declare module 'busboy' {
  import type { Readable, Writable } from 'node:stream'

  interface Parser extends Writable {
    on(event: 'file', listener: (name: string, file: Readable, info: { mimeType: string }) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'close', listener: () => void): this
  }
  export default function busboy(options: { headers: Record<string, string>; limits: Record<string, number> }): Parser
}

declare module 'dicer' {
  import type { Readable, Writable } from 'node:stream'

  interface Part extends Readable {
    on(event: 'header', listener: (head: Record<string, string[]>) => void): this
    // biome-ignore lint/suspicious/noExplicitAny: as Readable has it
    on(event: string, listener: (...values: any[]) => void): this
  }
  export default class Dicer extends Writable {
    constructor(options: { boundary: string })
    on(event: 'part', listener: (part: Part) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'finish', listener: () => void): this
  }
}
