// An engine in a process of its own, to be killed: one input and two outputs that all wait for a peer. A word is the path of the program
// for SRT in the place of ours.
import { createEngine } from '../../engine/engine.ts'
import { freeUdpPort } from '../kit/free-port.ts'
import { until } from './media.ts'
import { NO_DEVICES } from './no-devices.ts'
import { channel, source } from './wanted.ts'

const engine = createEngine({ ...NO_DEVICES, ...(process.argv[2] && { srtProgram: process.argv[2] }) })
const port = await freeUdpPort()
engine.apply(
  channel(1, source(2, `srt://:${port}?mode=listener`), [
    { id: 3, name: 'A', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } },
    { id: 4, name: 'B', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } }
  ])
)
await until('three processes', () => engine.processes() === 3)
console.log('running')
