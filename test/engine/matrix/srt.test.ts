import { suite } from 'uvu'
import { openMatrix } from './matrix.ts'

const test = suite('matrix: SRT')

const KINDS = ['device', 'SRT caller', 'SRT listener'] as const
const crossed = openMatrix(test, KINDS)

for (const kind of KINDS)
  test(`what comes by ${kind} goes out over every protocol, with picture, sound, and times that only grow`, () =>
    crossed(kind))

test.run()
