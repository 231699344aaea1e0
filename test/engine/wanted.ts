// Channels and their inputs, as a test wants them.
import { isFault, parseSourceUrl, type SourceUrl } from '../../contract/stream/source-url.ts'
import type { Wanted, WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'

/** The device that `createBench` has push. */
export const CAMERA: WantedInput = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' }

/** @throws Error when it is no URL of a source */
export function parsed(text: string): SourceUrl {
  const url = parseSourceUrl(text)
  if (isFault(url)) throw new Error(`${text}: ${url.name}`)
  return url
}

/** An input from a URL. @throws Error when it is none */
export const source = (id: number, text: string, name = `Source ${id}`): WantedInput => ({
  ...{ id, name, kind: 'url' },
  url: parsed(text)
})

/** A channel that is started. */
export const channel = (id: number, input: WantedInput, outputs: WantedOutput[] = []): Wanted => ({
  ...{ id, name: `Channel ${id}`, enable: true, input, outputs }
})
