import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import { createTar } from '../../pack/tar.ts'

const test = suite('tar')

const TIME = 1_700_000_000

test('an archive can be read by another tar implementation', () => {
  const archive = createTar(
    [
      { path: 'pack/a.txt', bytes: Buffer.from('hello\n') },
      { path: 'pack/empty', bytes: new Uint8Array() },
      { path: 'pack/block', bytes: new Uint8Array(512).fill(65) }
    ],
    TIME
  )
  const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' }
  const list = execFileSync('tar', ['-tv', '--numeric-owner', '--full-time'], { input: archive, env }).toString()
  assert.deepEqual(
    list
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' ')),
    [
      '-rw-r--r-- 0/0 6 2023-11-14 22:13:20 pack/a.txt',
      '-rw-r--r-- 0/0 0 2023-11-14 22:13:20 pack/empty',
      '-rw-r--r-- 0/0 512 2023-11-14 22:13:20 pack/block'
    ]
  )
  const text = execFileSync('tar', ['-xO', 'pack/a.txt'], { input: archive }).toString()
  assert.equal(text, 'hello\n')
})

test('a path that is too long is refused, not truncated', () => {
  assert.throws(() => createTar([{ path: 'a'.repeat(101), bytes: new Uint8Array() }], TIME), /too long/)
})

test.run()
