import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createImage, withImage } from '../../../firmware-pack/format/image.ts'
import { until } from '../../kit/until.ts'

const test = suite('image')

const TIME = 1_700_000_000
const FILES = [
  { path: 'manifest.json', bytes: Buffer.from('{}') },
  { path: 'www/deep/er/a.txt', bytes: Buffer.from('hello\n') }
]

test('an image contains the files, readable by everyone, with the given time', () => {
  withImage(createImage(FILES, TIME), (folder) => {
    assert.equal(readFileSync(join(folder, 'www/deep/er/a.txt'), 'utf8'), 'hello\n')
    const { mode, mtimeMs } = statSync(join(folder, 'www/deep/er/a.txt'))
    assert.deepEqual([mode & 0o777, mtimeMs], [0o644, TIME * 1000])
    assert.equal(statSync(join(folder, 'www')).mode & 0o777, 0o755)
  })
})

test('the same files give the same image, also a second later, under another umask and with a time in the environment', async () => {
  const image = createImage(FILES, TIME)
  const former = process.umask(0o077)
  process.env.SOURCE_DATE_EPOCH = '1'
  try {
    const second = () => Math.floor(Date.now() / 1000)
    const before = second()
    await until(() => second() > before, 'the next second')
    assert.ok(image.equals(createImage(FILES, TIME)))
  } finally {
    process.umask(former)
    delete process.env.SOURCE_DATE_EPOCH
  }
})

test('a file that is not an image is refused', () => {
  assert.throws(() => withImage(Buffer.from('nothing of the kind'), () => {}), /unsquashfs failed/)
})

test.run()
