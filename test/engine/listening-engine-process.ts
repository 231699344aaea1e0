// Runs an engine with one input and two outputs that all listen for a peer, in a separate process that tests can kill. The optional
// argument is the path of a program to use instead of headend-srt.
import { createEngine } from '../../engine/engine.ts'
import { waitUntil } from '../kit/engine/media.ts'
import { NO_DEVICES } from '../kit/engine/no-devices.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'

const engine = createEngine({ ...NO_DEVICES, ...(process.argv[2] && { srtProgram: process.argv[2] }) })
const port = await freeUdpPort()
engine.apply(
  channel(1, urlInput(2, `srt://:${port}?mode=listener`), [
    { id: 3, name: 'A', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } },
    { id: 4, name: 'B', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } }
  ])
)
await waitUntil('the relay and three listeners run', () => engine.processCount() === 4)
console.log('running')
