// Fetches a channel file with its signature from a static web server.

import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  CHANNEL_FILE_MAX,
  CHANNEL_SIGNATURE_SIZE,
  type ChannelFile,
  channelFileName,
  RELEASE_CHANNELS,
  type ReleaseChannel,
  readChannelFile
} from '../../pack/channel-file.ts'
import { Deadline } from './deadline.ts'
import { addressOf, type GetOptions, openGet } from './http-get.ts'
import { OnlineError, toOnlineError } from './online-error.ts'

/** Milliseconds for a channel file and its signature. */
export const FETCH_TIMEOUT = 30_000

export interface FetchChannelOptions extends Pick<GetOptions, 'signal' | 'authorities'> {
  /** Address of the folder on the web server. */
  folder: string
  name: string
  channel: ReleaseChannel
  trusted: readonly KeyObject[]
  /** Milliseconds since the epoch. */
  now: number
  /** Number of the last accepted file of this name and channel; 0 = none. */
  lastNumber: number
}

/** @throws OnlineError */
export async function fetchChannelFile(options: FetchChannelOptions): Promise<ChannelFile> {
  const { folder, name, channel, authorities } = options
  const deadline = new Deadline(FETCH_TIMEOUT, options.signal)
  const { signal } = deadline
  const fetchFile = async (file: string, max: number) =>
    readAll(await openGet(addressOf(folder, file), { signal, authorities }), max)
  try {
    const file = channelFileName(name, channel)
    const text = await fetchFile(file, CHANNEL_FILE_MAX)
    const signature = await fetchFile(`${file}.sig`, CHANNEL_SIGNATURE_SIZE)
    return readChannelFile({ text, signature }, options)
  } catch (error) {
    throw toOnlineError(error, signal)
  } finally {
    deadline.end()
  }
}

interface FetchChannelsOptions extends Omit<FetchChannelOptions, 'channel' | 'now' | 'lastNumber'> {
  /** The channel whose file must exist; without it the server may have none of the files. */
  required?: ReleaseChannel
  /** Number of the last accepted file of a channel; 0 = none. */
  lastNumberOf(channel: ReleaseChannel): number
}

/** Fetches the channel files of one name that the server has. @throws OnlineError */
export async function fetchChannelFiles({ required, lastNumberOf, ...request }: FetchChannelsOptions) {
  const files: ChannelFile[] = []
  for (const channel of RELEASE_CHANNELS) {
    const options = { ...request, channel, now: Date.now(), lastNumber: lastNumberOf(channel) }
    try {
      files.push(await fetchChannelFile(options))
    } catch (error) {
      const isMissing = error instanceof OnlineError && error.details.status === 404
      if (!isMissing || channel === required) throw error
    }
  }
  return files
}

/** @throws OnlineError if the server has no such file, or one that is too large */
async function readAll(response: IncomingMessage, max: number): Promise<Buffer> {
  try {
    if (response.statusCode !== 200) throw new OnlineError('http-status', { status: response.statusCode ?? 0 })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > max) throw new OnlineError('too-large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}
