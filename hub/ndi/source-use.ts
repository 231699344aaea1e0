// What uses each NDI source: presets, the channels whose inputs they are, and matrices of the router.

import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../../contract/codes.ts'
import { type NdiUrl, parseNdiUrl } from '../../contract/ndi/url.ts'
import type { NdiSource } from '../../contract/stream/ndi.ts'
import { NDI } from '../../contract/stream/protocols.ts'
import type { ObservedChannel } from '../../engine/interfaces/channel.ts'
import type { NdiSources } from '../../engine/interfaces/ndi.ts'
import type { ChannelRow } from '../store/channels.ts'
import type { Store } from '../store/store.ts'

/** A saved NDI source with the channels that use it. */
interface UsedPreset {
  id: number
  url: NdiUrl
  channels: ChannelRow[]
}

interface SourceUse {
  presets: UsedPreset[]
  matrices: { id: number; name: string }[]
}

type UseStore = Pick<Store, 'sources' | 'channels' | 'matrices'>

/**
 * By NDI name.
 * @param isVisible tells which inputs count, by ID
 */
export function usedNdiSources(
  { sources, channels, matrices }: UseStore,
  isVisible: (input: number) => boolean = () => true
): Map<string, SourceUse> {
  const uses = new Map<string, SourceUse>()
  const useOf = (name: string): SourceUse => {
    const use = uses.get(name) ?? { presets: [], matrices: [] }
    uses.set(name, use)
    return use
  }
  for (const { id, protocol, url: text } of sources.inputs()) {
    const url = protocol === NDI && isVisible(id) ? parseNdiUrl(text) : undefined
    if (url && !('fault' in url)) useOf(url.name).presets.push({ id, url, channels: channels.byInput(id) })
  }
  for (const { id, name, sources } of matrices.all())
    for (const source of new Set(sources.map((each) => each.name))) useOf(source).matrices.push({ id, name })
  return uses
}

/** Whether an announced source answers; undefined if that is not known. */
export function answerState(name: string, { answers }: Pick<NdiSources, 'answers'>): NdiSource['state'] {
  const isAnswering = answers.get(name)
  return isAnswering === undefined ? undefined : isAnswering ? NDI_SOURCE_ONLINE : NDI_SOURCE_OFFLINE
}

/** The format of a source, as a channel that uses it receives it now. A preset with low bandwidth gets another one. */
export function receivedFormat(
  { presets }: SourceUse,
  observe: (channel: number) => Pick<ObservedChannel, 'input' | 'backups'>
): NdiSource['format'] {
  for (const { id, url, channels } of presets)
    for (const channel of url.lowBandwidth ? [] : channels) {
      const { input, backups } = observe(channel.id)
      const leg = channel.input_id === id ? input : backups?.get(id)
      const { width, height, fps, interlaced } = leg?.format?.video ?? {}
      if (width && height) return { width, height, ...(fps && { fps }), ...(interlaced && { interlaced }) }
    }
  return undefined
}
