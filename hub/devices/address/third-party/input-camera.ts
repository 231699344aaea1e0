// The camera of an input. An input that was made of a stream of a camera has its address, so nothing else is stored.
import { isFault, parseSourceUrl } from '../../../../contract/stream/source-url.ts'
import type { ThirdPartyStream } from './adapter.ts'
import type { ThirdPartyClient } from './client.ts'

/** A camera or server that is online, and its stream. */
export interface InputCamera {
  client: ThirdPartyClient
  stream: ThirdPartyStream
}

/** The cameras and servers of the hub. */
interface Cameras {
  listThirdParty(): { sn: string; address: string; client: ThirdPartyClient }[]
}

/** Host of the address of an input; '' if it has none. */
export function hostOfUrl(url: string): string {
  const parsed = parseSourceUrl(url)
  return isFault(parsed) ? '' : parsed.host
}

/** An address without its login, in its normal form, so that addresses can be compared. */
function addressWithoutLogin(url: string): string | undefined {
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return undefined
  const { scheme, host, port, path, srt } = parsed
  return JSON.stringify([scheme, host, port, path, srt?.streamId ?? ''])
}

/** Whether the address of an input is that of a stream. */
export const isSameStream = (stream: ThirdPartyStream, url: string): boolean =>
  stream.url !== undefined && addressWithoutLogin(stream.url) === addressWithoutLogin(url)

/**
 * Finds the camera whose stream has the address of an input. The streams that were read last are enough: nothing is
 * sent to a camera whose streams are known.
 * @param isVisible whether the caller may see the device
 * @throws LinkError if a camera at the address does not answer
 */
export async function findInputCamera(
  cameras: Cameras,
  url: string,
  isVisible: (sn: string) => boolean = () => true
): Promise<InputCamera | undefined> {
  const host = hostOfUrl(url)
  for (const { sn, address, client } of cameras.listThirdParty()) {
    if (address !== host || !isVisible(sn)) continue
    const isItsStream = (stream: ThirdPartyStream) => isSameStream(stream, url)
    const stream = (await client.knownStreams()).find(isItsStream) ?? (await client.listStreams()).find(isItsStream)
    if (stream) return { client, stream }
  }
  return undefined
}
