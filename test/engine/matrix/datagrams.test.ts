import { suite } from 'uvu'
import { addMatrixTests } from './matrix.ts'

const test = suite('matrix: UDP, RTP and RTSP inputs')

addMatrixTests(test, ['UDP', 'RTP', 'RTSP'])

test.run()
