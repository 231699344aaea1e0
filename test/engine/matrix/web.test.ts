// Passes RTMP, HTTP and HLS inputs to outputs of every kind.
import { suite } from 'uvu'
import { addMatrixTests } from './matrix.ts'

const test = suite('matrix: RTMP, HTTP and HLS inputs')

addMatrixTests(test, ['RTMP', 'HTTP', 'HLS'])

test.run()
