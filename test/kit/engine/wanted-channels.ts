// Builders for the wanted state that tests apply to an engine.
import { isFault, parseSourceUrl, type SourceUrl } from '../../../contract/stream/source-url.ts'
import type { WantedChannel, WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'

/** The device that pushes in `createFixture`. */
export const CAMERA: WantedInput = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' }

/** @throws Error when the text is not a valid source URL */
export function parseUrl(text: string): SourceUrl {
  const url = parseSourceUrl(text)
  if (isFault(url)) throw new Error(`Invalid source URL ${text}: ${url.name}`)
  return url
}

/** Returns an input that reads from a URL. @throws Error when the URL is invalid */
export const urlInput = (id: number, text: string, name = `Source ${id}`): WantedInput => ({
  id,
  name,
  kind: 'url',
  url: parseUrl(text)
})

/** Returns an enabled channel. */
export const channel = (id: number, input: WantedInput, outputs: WantedOutput[] = []): WantedChannel => ({
  id,
  name: `Channel ${id}`,
  enable: true,
  input,
  outputs
})
