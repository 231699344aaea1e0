// The probe of the NDI runtime.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { NdiUnavailableError } from '../../../engine/interfaces/errors.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { Ndi } from '../../../engine/interfaces/ndi.ts'
import { NdiConfig } from '../../../engine/ndi/config.ts'
import { createNdi } from '../../../engine/ndi/runtime.ts'
import { reasonText } from '../../../hub/messages/reasons.ts'

const test = suite('NDI runtime')

/** A runtime whose probe does what `probe` does, in a folder. */
function createRuntime(folder: string, probe: (launch: Launch) => void): Ndi {
  writeFileSync(join(folder, 'libndi.so.6'), '')
  return createNdi({
    launcher: {
      run(launch) {
        probe(launch)
        return { pid: undefined, stdin: undefined, stop: async () => {} }
      }
    },
    config: new NdiConfig({ resolveHost: async (host) => host, accountFolder: folder }),
    ffmpeg: process.execPath,
    program: process.execPath,
    folders: [folder],
    now: () => performance.now()
  })
}

/** The reason why a library cannot be used whose probe does what `probe` does. */
async function reasonOf(probe: (launch: Launch) => void): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-ndi-runtime-'))
  const ndi = createRuntime(folder, probe)
  try {
    await ndi.findRuntime()
    return undefined
  } catch (error) {
    assert.ok(error instanceof NdiUnavailableError)
    return error.failure.reason
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a library that does not respond has a reason that is worded in both languages', async () => {
  // The event loop must have something to wait for while the limit of the probe passes.
  const alive = setInterval(() => {}, 1000)
  try {
    for (const probe of [() => {}, ({ onEnd }: Launch) => setImmediate(onEnd, [])]) {
      const reason = (await reasonOf(probe)) ?? ''
      assert.equal(reason, 'ndi-silent')
      assert.equal(reasonText('en', reason), 'the NDI runtime of this hub is not responding')
      assert.equal(reasonText('zh', reason), '本中控的 NDI 运行库没有响应')
    }
  } finally {
    clearInterval(alive)
  }
})

test('a library that reports an error has that error as the reason', async () => {
  const reason = await reasonOf(({ onEnd }) => setImmediate(onEnd, ['libndi.so.6: file too short']))
  assert.equal(reason, 'ndi-unusable libndi.so.6: file too short')
})

test('a library whose probe could not be started is used when a later probe succeeds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-ndi-runtime-'))
  let canStart = false
  const ndi = createRuntime(folder, ({ onMessage, onEnd }) => {
    if (!canStart) throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
    onMessage?.('{"version":"5.5.2"}')
    setImmediate(onEnd, [])
  })
  try {
    await assert.rejects(ndi.findRuntime(), { code: 'ENOMEM' })
    canStart = true
    assert.equal((await ndi.findRuntime()).version, '5.5.2')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
