// Live pictures: reference 5.6, specification 7.
import { call, type Nothing } from './call.ts'

/** Ours: how a stream is to be sent. Another hub knows none of it. */
export interface PreviewWish {
  /** 1: who reads tells over the change feed what has arrived (`FeedSeen`), and is sent as much as the line carries. */
  seen?: number
  /** 1: fewer and smaller pictures, to save data. */
  save?: number
}

/** Opens the endless multipart stream. The answer is no JSON: read it as a stream. `v` defeats caches. */
export const openPreview = call<{ v?: number } & PreviewWish, Nothing>('GET', '/preview/open', 'session')

export interface PreviewSetup {
  /** Handle id, from the `handle-id` header of the open stream. */
  id: string
  /** Preview ids: `DEV-<sn>`, and ours `CHANNEL-<id>`. Numbers are node ids (the documented example has them). */
  add?: (string | number)[]
  del?: (string | number)[]
}
/** 16 for a handle that is not open, or not the caller's. Ids the caller may not see are ignored. */
export const setupPreview = call<PreviewSetup>('POST', '/preview/setup', 'session')
export const clearPreview = call<{ id: string }>('GET', '/preview/clear', 'session')
