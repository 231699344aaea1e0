// Channel files of tests.
import { createHash } from 'node:crypto'
import {
  type ChannelRelease,
  channelFileName,
  createChannelFile,
  type ReleaseChannel
} from '../../../pack/channel-file.ts'
import type { Signer } from '../../../pack/signature.ts'

export const DAY = 86_400_000
/** Time of the channel files of tests, and 30 days later their end. */
export const PUBLISHED = Date.parse('2026-03-01T12:00:00.000Z')
export const EXPIRES = PUBLISHED + 30 * DAY

/** A release with a file of these bytes. */
export function releaseOf(bytes: Buffer, more: Partial<ChannelRelease> = {}): ChannelRelease {
  return {
    version: '1.2.3',
    time: new Date(PUBLISHED).toISOString(),
    file: 'files/release.bin',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    notes: { en: 'Better.', zh: '更好。' },
    ...more
  }
}

interface ContentOptions {
  name?: string
  channel?: ReleaseChannel
  number?: number
  /** Milliseconds since the epoch. */
  expires?: number
}

/** A channel file and its signature, by path on the server. */
export function channelFiles(
  signer: Signer,
  releases: ChannelRelease[],
  { name = 'headend', channel = 'stable', number = 7, expires = EXPIRES }: ContentOptions = {}
): [path: string, bytes: Buffer][] {
  const [time, end] = [PUBLISHED, expires].map((each) => new Date(each).toISOString()) as [string, string]
  const { text, signature } = createChannelFile({ name, channel, number, time, expires: end, releases }, signer)
  const path = `/${channelFileName(name, channel)}`
  return [
    [path, text],
    [`${path}.sig`, signature]
  ]
}
