// Requests preview images from the stream engine (channels, NDI sources, devices on air), from device links (devices),
// and from the cameras of inputs.
import { ndiSourceOfPreview } from '../../contract/ndi/preview-id.ts'
import { isNdiUrl, parseNdiUrl } from '../../contract/ndi/url.ts'
import type { PreviewSize } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { AddressedPictures } from '../devices/address/pictures.ts'
import type { DeviceLinks } from '../devices/link/links.ts'
import { PREVIEW_INTERVAL, type PreviewFeedOptions, REDUCED_PREVIEW_INTERVAL } from './feed.ts'
import type { OnAirPictures } from './on-air-pictures.ts'
import { channelOfPreview, deviceOfPreview, inputOfPreview } from './preview-id.ts'

const PREVIEW_SIZE: PreviewSize = { width: 320, fps: 1000 / PREVIEW_INTERVAL }
/** To save data: half the width, a quarter of the bytes or less, one image every 3 s. */
const REDUCED_PREVIEW_SIZE: PreviewSize = { width: 160, fps: 1000 / REDUCED_PREVIEW_INTERVAL }

interface PreviewUpstreamOptions {
  engine: Pick<EngineClient, 'watchPreview' | 'watchNdi'>
  links: Pick<DeviceLinks, 'subscribePreviews'>
  /** Pictures of the cameras of inputs, by the id of the input. */
  cameraPictures: Pick<AddressedPictures, 'subscribe'>
  /** NDI name of the source of a device whose pictures come from there; empty for any other device. */
  ndiSourceOf(sn: string): string
  onAir: Pick<OnAirPictures, 'watch'>
  /** Size without data saving. */
  size?: PreviewSize | undefined
}

/** @returns the function with which the preview feed subscribes to a preview ID */
export function createPreviewUpstream({
  engine,
  links,
  cameraPictures,
  ndiSourceOf,
  onAir,
  size: fullSize = PREVIEW_SIZE
}: PreviewUpstreamOptions): PreviewFeedOptions['subscribe'] {
  return (id, onImage, saveData) => {
    const size = saveData ? REDUCED_PREVIEW_SIZE : fullSize
    const channel = channelOfPreview(id)
    if (channel !== undefined) return engine.watchPreview(channel, size, onImage)
    const ndi = ndiSourceOfPreview(id)
    if (ndi !== undefined) {
      const url = isNdiUrl(ndi) ? parseNdiUrl(ndi) : { name: ndi }
      return 'fault' in url ? undefined : engine.watchNdi(url, size, onImage)
    }
    const input = inputOfPreview(id)
    if (input !== undefined) return cameraPictures.subscribe(String(input), onImage)
    const sn = deviceOfPreview(id)
    if (sn === undefined) return undefined
    const name = ndiSourceOf(sn)
    if (name !== '') return engine.watchNdi({ name }, size, onImage)
    return onAir.watch(sn, size, onImage) ?? links.subscribePreviews(sn, size, onImage)
  }
}
