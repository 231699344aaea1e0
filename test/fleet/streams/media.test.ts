import * as assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'

const test = suite('clips')

const MEDIA = resolve(import.meta.dirname, '../../../fleet/streams/media.ts')

/** Encodes the missing clips in a process of its own, and resolves with its exit status. */
async function encodeInProcess(fleet: string): Promise<unknown> {
  const script = `import { encodeClips } from ${JSON.stringify(MEDIA)}; await encodeClips(${JSON.stringify(fleet)}, console.error).done`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  return (await once(child, 'exit'))[0]
}

test('devices that start at the same time encode into a folder that they share', async () => {
  const fleet = mkdtempSync(join(tmpdir(), 'clips-'))
  try {
    mkdirSync(join(fleet, 'media'))
    // One missing clip is enough.
    for (const index of [2, 3, 4]) writeFileSync(join(fleet, 'media', `clip-${index}.ts`), '')
    assert.deepEqual(await Promise.all([encodeInProcess(fleet), encodeInProcess(fleet)]), [0, 0])
    assert.deepEqual(readdirSync(join(fleet, 'media')), ['clip-1.ts', 'clip-2.ts', 'clip-3.ts', 'clip-4.ts'])
  } finally {
    rmSync(fleet, { recursive: true })
  }
})

test.run()
