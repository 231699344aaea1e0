// Live previews of devices and channels (docs/wire.md, "Previews").
import { declareCall, type EmptyRequest } from './call.ts'

/** Options of a preview stream. */
export interface PreviewOptions {
  /** 1: the console acknowledges images over the change feed (`PreviewAck`), and the hub adapts its rate to the connection. */
  seen?: number
  /** 1: fewer and smaller images, to save data. */
  save?: number
}

/** Opens an endless multipart stream of JPEG images. The response is not JSON. `v` bypasses caches. */
export const openPreview = declareCall<{ v?: number } & PreviewOptions, EmptyRequest>('GET', '/preview/open', 'session')

export interface PreviewSetup {
  /** Handle id, from the `handle-id` response header of the open stream. */
  id: string
  /** Preview ids: `DEV-<sn>`, `CHANNEL-<id>`, or of an NDI source (`ndi/preview-id.ts`). Numbers are accepted and ignored. */
  add?: (string | number)[]
  del?: (string | number)[]
}

/** Adds and removes previews of an open stream. 16 if the handle is not open or not the caller's. Ids that the caller may not see are ignored. */
export const setupPreview = declareCall<PreviewSetup>('POST', '/preview/setup', 'session')
export const clearPreview = declareCall<{ id: string }>('GET', '/preview/clear', 'session')
