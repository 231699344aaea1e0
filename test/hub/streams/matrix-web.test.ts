import { crossAll } from './matrix.ts'

crossAll('web', ['RTMP', 'HTTP', 'HLS'])
