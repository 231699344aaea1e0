// The reason why the last player of an output left.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, SRT } from '../../../contract/stream/protocols.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { CarrierContext } from '../../../engine/legs/carrier.ts'
import { InProcessOutput } from '../../../engine/legs/in-process-output.ts'
import { ProcessOutput } from '../../../engine/outputs/process-output.ts'
import { createOutputParts } from '../../kit/engine/output-parts.ts'
import { until } from '../../kit/until.ts'

const test = suite('last end of an output')

test('an output of the engine forgets that its client left when the next one receives media', async () => {
  let context: CarrierContext | undefined
  let isWaiting = true
  const output = new InProcessOutput(async (opened) => {
    context = opened
    return { attach() {}, isWaiting: () => isWaiting, droppedBytes: () => 0, close: async () => {} }
  }, createOutputParts())
  const isOpen = () => output.observe(performance.now()).connState === CONNECTION_STATE.waiting
  await until(isOpen, 'the output waits for a client')
  const setWaiting = (value: boolean) => {
    isWaiting = value
    context?.onChange()
  }
  setWaiting(false)
  context?.onBytes(1316)
  setWaiting(true)
  assert.equal(output.lastEndReason(), 'client-left')
  context?.onBytes(1316)
  assert.equal(output.lastEndReason(), 'client-left', 'bytes that were counted late are not those of another client')
  setWaiting(false)
  context?.onBytes(1316)
  assert.equal(output.lastEndReason(), undefined)
  await output.stop()
})

test('an output of a process forgets that its client left when the next one connects', async () => {
  const launches: Launch[] = []
  const config = { mode: 'listener', 'bind-port': 9000 } as const
  const output = new ProcessOutput({ id: 1, name: 'Hall', protocol: SRT, config }, createOutputParts(launches))
  const connect = async (run: number) => {
    await until(() => launches.length === run, `run ${run} starts`)
    launches.at(-1)?.onProgress?.(1316, 0)
  }
  await connect(1)
  launches[0]?.onEnd([])
  assert.equal(output.lastEndReason(), 'client-left')
  await connect(2)
  assert.equal(output.lastEndReason(), undefined)
  await output.stop()
})

test.run()
