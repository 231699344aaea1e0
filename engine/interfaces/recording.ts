// The recording of a channel, as the hub wants it and as it is observed.
import type { Reason } from '../../contract/stream/reason.ts'

/** A recording that runs while its channel does. */
export interface WantedRecording {
  id: number
  /** Absolute path of the folder for its segments, which is created. */
  folder: string
  /** Length of a segment in seconds and bytes, at which the next one begins at a key frame. */
  segmentS: number
  segmentBytes: number
  /** Free bytes of the disk below which nothing is recorded. */
  freeMin: number
}

export interface ObservedRecording {
  /** As in `WantedRecording`. */
  id: number
  /** Bytes of the segment that is being written; 0: none is. */
  openBytes: number
  /** When it began, in milliseconds since the epoch. Absent: none is written. */
  openSince?: number
  /** When the newest complete segment ended, in milliseconds since the epoch. Absent: there is none yet. */
  completeUntil?: number
  /** Why nothing is recorded. */
  reason?: Reason
}
