import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import { createCpio, readCpio } from '../../../firmware-pack/format/cpio.ts'

const test = suite('cpio')

const TIME = 1_700_000_000
const FILES = [
  { path: 'sw-description', bytes: Buffer.from('hello\n') },
  { path: 'empty', bytes: Buffer.alloc(0) },
  { path: 'odd', bytes: Buffer.alloc(513, 65) }
]

test('busybox cpio reads a written archive', () => {
  const input = createCpio(FILES, TIME)
  const env = { ...process.env, TZ: 'UTC' }
  const list = execFileSync('busybox', ['cpio', '-itv'], { input, env, stdio: 'pipe' }).toString()
  assert.deepEqual(
    list
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ')),
    [
      '-rw-r--r-- 0/0 6 2023-11-14 22:13:20 sw-description',
      '-rw-r--r-- 0/0 0 2023-11-14 22:13:20 empty',
      '-rw-r--r-- 0/0 513 2023-11-14 22:13:20 odd'
    ]
  )
})

test('a written archive is read back, and a truncated or other file is refused', () => {
  const archive = createCpio(FILES, TIME)
  assert.deepEqual(readCpio(archive), FILES)
  for (const length of [0, 50, 200, archive.length - 130])
    assert.throws(() => readCpio(archive.subarray(0, length)), /truncated/)
  assert.throws(() => readCpio(Buffer.alloc(500)), /not a cpio archive/)
})

test.run()
