// Saved inputs and outputs, presets, and the NDI sources of the network.
import { listNdiPresets } from '../../contract/ndi/preset.ts'
import { listNdiSources, type NdiSource } from '../../contract/stream/ndi.ts'
import { listPresets } from '../../contract/stream/preset.ts'
import { listInputs, listOutputs } from '../../contract/stream/source.ts'
import { createLiveList } from './live-list.ts'

export const $inputs = createLiveList({
  call: listInputs,
  pace: 'slowest',
  topic: 'source'
})

export const $outputs = createLiveList({
  call: listOutputs,
  pace: 'slowest',
  topic: 'source'
})

/** Presets of destinations that the hub stores. */
export const $presets = createLiveList({
  call: listPresets,
  pace: 'slowest',
  topic: 'source'
})

/** Saved NDI sources. */
export const $ndiPresets = createLiveList({
  call: listNdiPresets,
  pace: 'slow',
  topic: 'source'
})

/** NDI sources of the network. The hub runs discovery while this store polls. */
export const $ndiSources = createLiveList({
  call: listNdiSources,
  pace: 'slow',
  keyOf: ({ name }: NdiSource) => name
})
