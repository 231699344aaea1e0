// Saved inputs and outputs, as several rooms show them.
import { atom } from 'nanostores'
import { type FoundSource, listNdiSources } from '../../contract/stream/ndi.ts'
import { type InputSource, listInputs, listOutputs, type Output, type SrtOutput } from '../../contract/stream/source.ts'
import { send } from '../link/send.ts'
import { liveList } from './live-list.ts'

export const $inputs = liveList({
  call: listInputs,
  request: atom({}),
  pace: 'slowest',
  topic: 'source',
  keyOf: (source: InputSource) => source.id
})

export const $outputs = liveList({
  call: listOutputs,
  request: atom({}),
  pace: 'slowest',
  topic: 'source',
  keyOf: (output: Output) => output.id
})

/** Of the network, looked for while somebody asks. */
export const $foundNdi = liveList({
  call: listNdiSources,
  request: atom({}),
  pace: 'slow',
  keyOf: ({ name }: FoundSource) => name
})

/** The first port from 9001 that no SRT listener of the hub has. */
export async function freePort(): Promise<number> {
  const { list = [] } = await send(listOutputs, {})
  const taken = new Set(list.map(({ config }) => (config as SrtOutput)['bind-port']))
  let port = 9001
  while (taken.has(port)) port++
  return port
}
