import { suite } from 'uvu'
import { createMatrix, type Matrix } from './matrix.ts'
import { endAll } from './media.ts'

const test = suite('matrix: datagrams')

const KINDS = ['UDP', 'RTP', 'RTSP'] as const

let matrix: Matrix
test.before(async () => {
  matrix = await createMatrix(KINDS)
})
test.after(async () => {
  await matrix.close()
  await endAll()
})

for (const kind of KINDS)
  test(`what comes by ${kind} goes out over every protocol, with picture, sound, and times that only grow`, async () => {
    await matrix.crossed(kind)
  })

test.run()
