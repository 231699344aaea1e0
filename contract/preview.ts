// Live previews of devices and channels (docs/wire.md, "Previews").
import { declareCall } from './call.ts'

/** Options of a preview stream. */
export interface PreviewOptions {
  /**
   * 1: the console acknowledges images over the change feed (`PreviewAck`), and the hub adapts its rate to the
   * connection.
   */
  seen?: number
  /** 1: fewer and smaller images, to save data. */
  save?: number
}

export const openPreview = declareCall('GET /preview/open', 'session')

export interface PreviewSetup {
  /** Handle id, from the `handle-id` response header of the open stream. */
  id: string
  /**
   * Preview ids: `DEV-<sn>`, `CHANNEL-<id>`, `INPUT-<id>`, or of an NDI source (`ndi/preview-id.ts`). Numbers are
   * accepted and ignored.
   */
  add?: (string | number)[]
  del?: (string | number)[]
}

export const setupPreview = declareCall('POST /preview/setup', 'session')
export const clearPreview = declareCall('GET /preview/clear', 'session')
