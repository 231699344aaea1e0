import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { unpackCommand } from '../../pack/squashfs.ts'

const test = suite('commands for SquashFS')

test('an image is unpacked with as many threads on a machine with many processors as on one with few', () => {
  assert.match(unpackCommand('image', 'target', 1 << 20).args.join(' '), / -processors 1 /)
})

test.run()
