// Pictures of NDI sources in a preview stream, with the real runtime.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { decode } from 'jpeg-js'
import { SUCCESS } from '../../../contract/codes.ts'
import { ndiPreviewId } from '../../../contract/ndi/preview-id.ts'
import { setupPreview } from '../../../contract/preview.ts'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'
import type { Part } from '../../../src/preview/parser.ts'
import { readParts } from '../../../src/preview/read-parts.ts'
import { type NdiHub, startNdiHub } from '../../kit/ndi/hub.ts'
import { type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startSource } from '../../kit/ndi/programs.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('pictures of NDI sources', missingForNdi())

let machines: NdiMachines
let running: NdiHub
test.before(async () => {
  machines = await startNdiMachines()
  running = await startNdiHub(machines, machines.hub, join(machines.folder, 'data'))
})
test.after(async () => {
  await running?.kill()
  await machines?.stop()
})

interface Image extends Part {
  at: number
}

/**
 * Opens a preview stream. @returns its images so far, by id, a function that changes the ids, and one that closes the
 * stream
 */
async function openStream() {
  const { hub } = running
  const abort = new AbortController()
  const response = await fetch(`${hub.url}/api/preview/open?v=1`, {
    headers: { cookie: hub.cookie() },
    signal: abort.signal
  })
  const head = readStreamHead(response.headers)
  assert.ok(head && response.body)
  const images = new Map<string, Image[]>()
  const receive = (part: Part) => {
    const list = images.get(part.id) ?? []
    images.set(part.id, [...list, { ...part, bytes: part.bytes.slice(), at: performance.now() }])
  }
  void readParts(response.body, head.boundary, new PartBuffer(), receive, abort.signal).catch(() => {})
  const setup = (add: string[], del: string[] = []) => hub.send(setupPreview, { id: head.handle, add, del })
  return { imagesOf: (id: string) => images.get(id) ?? [], setup, close: () => abort.abort() }
}

/** Processes on the machine of the hub that receive pictures. */
const countPictureProcesses = async () => {
  const list = await machines.hub.run('sh', '-c', 'pgrep --ns $$ --nslist net -ax headend-ndi || true')
  return list.split('\n').filter((line) => line.includes(' picture ')).length
}

test('sources that are visible have pictures of their preview, about two a second, until nobody watches', async () => {
  const source = await startSource(machines, machines.src, 'Camera', { id: 5, width: 1280, height: 720 })
  const other = await startSource(machines, machines.src, 'Tall', { id: 6, width: 360, height: 640 })
  const id = ndiPreviewId('SRC (Camera)') ?? ''
  const tallId = ndiPreviewId('SRC (Tall)') ?? ''
  const unknownId = ndiPreviewId('SRC (Nothing)') ?? ''
  const { imagesOf, setup, close } = await openStream()
  assert.equal((await setup([id, tallId, unknownId])).result, SUCCESS)
  await until(() => imagesOf(id).length >= 8 && imagesOf(tallId).length >= 3, 'there are pictures of both')
  const images = imagesOf(id).slice(-6)
  const sizes = images.map(({ bytes }) => decode(bytes)).map(({ width, height }) => [width, height])
  assert.deepEqual(sizes, Array(6).fill([320, 180]))
  const [first, last] = [images[0] as Image, images.at(-1) as Image]
  const rate = (images.length - 1) / ((last.at - first.at) / 1000)
  assert.ok(rate > 1.5 && rate < 3, `${rate} images per second`)
  assert.equal(new Set(images.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size, 6, 'the images differ')
  assert.equal(imagesOf(unknownId).length, 0)
  assert.equal(await countPictureProcesses(), 2, 'no process searches for a source that discovery does not find')
  assert.equal((await setup([], [tallId])).result, SUCCESS)
  await until(async () => (await countPictureProcesses()) === 1, 'the process of the hidden source ends')
  await source.end('SIGKILL')
  const again = await startSource(machines, machines.src, 'Camera', { id: 7 })
  const before = imagesOf(id).length
  await until(() => imagesOf(id).length > before + 2, 'the pictures continue when the source is back')
  close()
  await until(async () => (await countPictureProcesses()) === 0, 'no process is left when the stream is closed')
  await Promise.all([other.end(), again.end()])
})

test.run()
