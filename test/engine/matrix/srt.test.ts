import { suite } from 'uvu'
import { addMatrixTests } from './matrix.ts'

const test = suite('matrix: device and SRT inputs')

addMatrixTests(test, ['device', 'SRT caller', 'SRT listener'])

test.run()
