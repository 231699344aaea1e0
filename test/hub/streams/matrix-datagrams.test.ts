import { crossAll } from './matrix.ts'

crossAll('datagrams', ['UDP', 'RTP', 'RTSP'])
