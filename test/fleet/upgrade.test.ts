import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { Behaviour } from '../../fleet/behaviour.ts'
import { firmwareFileName, writeFirmwareFile } from '../../fleet/firmware-file.ts'
import { MODELS } from '../../fleet/models.ts'
import { Upgrader } from '../../fleet/upgrade.ts'
import { inspectFirmware } from '../../hub/firmware/inspect-file.ts'
import { firmwareFile } from '../kit/hub/firmware-upload.ts'
import { until } from '../kit/until.ts'

const test = suite('upgrade of a demo device')
const file = firmwareFile('encodeAio', '1.5.0')

let behaviour: Behaviour
let completed: number
let upgrader: Upgrader

test.before.each(() => {
  behaviour = 'normal'
  completed = 0
  upgrader = new Upgrader({
    model: MODELS.encodeAio,
    behaviour: () => behaviour,
    duration: 20,
    onCompleted: () => completed++
  })
})
test.after.each(() => upgrader.cancel())

/** Uploads a file. */
async function receive(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'a.mwf')
  const response = new Response(form)
  const body = await response.bytes()
  async function* pieces() {
    for (let offset = 0; offset < body.length; offset += 10_000) yield body.subarray(offset, offset + 10_000)
  }
  return upgrader.receive(pieces(), response.headers.get('content-type') ?? undefined, body.length)
}

test('a file is received and installed, and its version runs after the restart', async () => {
  assert.equal(upgrader.install(), 'no-file')
  assert.equal(await receive(file.bytes), 'done')
  assert.deepEqual(upgrader.file, { version: '1.5.0', size: 100_000 })
  assert.equal(upgrader.install(), 'done')
  assert.equal(upgrader.install(), 'already')
  assert.equal(upgrader.state().step, 'updating')
  assert.equal(await receive(file.bytes), 'busy')
  await until(() => completed === 1, 'the installation is complete')
  assert.deepEqual(upgrader.state(), { step: 'completed', percent: 100, version: '1.5.0' })
  assert.equal(upgrader.completeRestart(), '1.5.0')
  assert.equal(upgrader.state().step, 'idle')
  assert.equal(upgrader.completeRestart(), undefined)
})

test('a restart during an installation leaves the old version', async () => {
  await receive(file.bytes)
  mock.timers.enable({ apis: ['setTimeout'] })
  upgrader.install()
  assert.equal(upgrader.completeRestart(), undefined)
  mock.timers.tick(60_000)
  mock.timers.reset()
  assert.equal(completed, 0)
})

test('a file for another model, a damaged file and other files are refused', async () => {
  assert.equal(await receive(firmwareFile('streamSdi', '1.6.0').bytes), 'wrong-model')
  assert.equal(await receive(Buffer.from(file.bytes.subarray(0, -1))), 'damaged')
  const bytes = Buffer.from(file.bytes)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  assert.equal(await receive(bytes), 'damaged')
  assert.equal(await receive(Buffer.alloc(50_000)), 'bad-file')
  assert.equal(upgrader.file, undefined)
  assert.equal(upgrader.install(), 'no-file')
})

test('uploads and installations fail according to the behaviour', async () => {
  for (const full of ['full', 'update-full'] as const) {
    behaviour = full
    assert.equal(await receive(file.bytes), 'no-space')
  }
  behaviour = 'update-refused'
  assert.equal(await receive(file.bytes), 'busy')
  behaviour = 'update-failed'
  assert.equal(await receive(file.bytes), 'done')
  upgrader.install()
  await until(() => upgrader.state().step === 'failed', 'the installation fails')
  assert.equal(completed, 0)
  behaviour = 'update-old'
  await receive(file.bytes)
  upgrader.install()
  await until(() => completed === 1, 'the installation is complete')
  assert.equal(upgrader.completeRestart(), undefined)
})

test('a generated file is reproducible, may have any size, and is accepted by the hub', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'made-'))
  try {
    for (const size of [0, 1, 1 << 20, (1 << 20) + 1]) {
      const spec = { model: MODELS.streamSdi, version: '1.6.2', size, test: true }
      const path = join(folder, firmwareFileName(spec))
      assert.ok(path.endsWith('/ultra_stream_sdi_rev_a_1_6_2.mwf'))
      writeFirmwareFile(path, spec)
      const first = readFileSync(path)
      writeFirmwareFile(path, spec)
      assert.ok(first.equals(readFileSync(path)))
      const { info, size: fileSize } = await inspectFirmware(path, 'other.mwf', undefined)
      assert.equal(fileSize, first.length)
      assert.deepEqual([info['product-id'], info['firmware-id'], info['build-number']], [769, 1, 2])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
