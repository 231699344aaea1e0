// Requests for inputs and outputs, and lookups of them, for the tests of sources.
import assert from 'node:assert/strict'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { type AddOutputRequest, listOutputs, type Output } from '../../../../contract/stream/source.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'

export const input = (name: string, url = 'srt://10.0.0.1:9000') => ({ name, config: { type: 1 as const, url } })
export const listener = (name: string, port: number) =>
  ({ name, protocol: SRT, config: { mode: 'listener', 'bind-port': port } }) satisfies AddOutputRequest
export const rtmp = (name: string, config: object = {}) =>
  ({ name, protocol: RTMP, config: { url: 'rtmp://a.example/live', ...config } }) satisfies AddOutputRequest

/** An output as listed for a client. */
export async function output(id: number, client = admin): Promise<Output> {
  const output = (await client.send(listOutputs, {})).list.find((item) => item.id === id)
  assert.ok(output)
  return output
}

/** The stored configuration of an output. */
export const storedConfig = (id: number) => hub.parts.store.sources.output(id)?.config
