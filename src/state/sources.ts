// Saved inputs and outputs, presets, and the NDI sources of the network.
import { atom } from 'nanostores'
import { listNdiPresets, type NdiPreset } from '../../contract/ndi/preset.ts'
import { listNdiSources, type NdiSource } from '../../contract/stream/ndi.ts'
import { listPresets, type OutputPreset } from '../../contract/stream/preset.ts'
import { type InputSource, listInputs, listOutputs, type Output } from '../../contract/stream/source.ts'
import { createLiveList } from './live-list.ts'

export const $inputs = createLiveList({
  call: listInputs,
  request: atom({}),
  pace: 'slowest',
  topic: 'source',
  keyOf: (source: InputSource) => source.id
})

export const $outputs = createLiveList({
  call: listOutputs,
  request: atom({}),
  pace: 'slowest',
  topic: 'source',
  keyOf: (output: Output) => output.id
})

/** Presets of destinations that the hub stores. */
export const $presets = createLiveList({
  call: listPresets,
  request: atom({}),
  pace: 'slowest',
  topic: 'source',
  keyOf: (preset: OutputPreset) => preset.id
})

/** Saved NDI sources. */
export const $ndiPresets = createLiveList({
  call: listNdiPresets,
  request: atom({}),
  pace: 'slow',
  topic: 'source',
  keyOf: (preset: NdiPreset) => preset.id
})

/** NDI sources of the network. The hub runs discovery while this store polls. */
export const $ndiSources = createLiveList({
  call: listNdiSources,
  request: atom({}),
  pace: 'slow',
  keyOf: ({ name }: NdiSource) => name
})
