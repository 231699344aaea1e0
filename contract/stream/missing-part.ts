// Codes of the parts that the stream engine needs and does not find on its machine. The sentences are in
// `hub/messages/missing-parts.ts`.

/** All codes. */
export const MISSING_PARTS = [
  'no-ffmpeg',
  'no-relay',
  'no-hide-args',
  'no-setpriv',
  'no-srt',
  'no-rtmp',
  'no-ndi',
  'no-ndi-runtime'
] as const

export type MissingPart = (typeof MISSING_PARTS)[number]

/** A missing part, with the command that installs it after a space: 'no-ffmpeg apt-get install -y ffmpeg'. */
export type MissingPartDetail = `${MissingPart} ${string}`

/** A part that is missing on the machine of the stream engine. */
export interface MissingPartReport {
  /** An engine of an older version sends an English sentence instead. */
  text: MissingPartDetail
  /** Whether most hubs do not need it. */
  optional: boolean
}
