// Runs an engine with one input and two outputs that all listen for a peer, in a separate process that tests can kill.
// The arguments are three UDP ports and optionally the path of a program to use instead of headend-srt.
import { Engine } from '../../engine/engine.ts'
import { NO_DEVICES } from '../kit/engine/no-devices.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { until } from '../kit/until.ts'

const [input, first, second, srtProgram] = process.argv.slice(2)
const engine = new Engine({ ...NO_DEVICES, ...(srtProgram && { srtProgram }) })
engine.apply(
  channel(1, urlInput(2, `srt://:${input}?mode=listener`), [
    { id: 3, name: 'A', protocol: 2, config: { mode: 'listener', 'bind-port': Number(first) } },
    { id: 4, name: 'B', protocol: 2, config: { mode: 'listener', 'bind-port': Number(second) } }
  ])
)
await until(() => engine.processCount() === 4, 'the relay and three listeners run')
console.log('running')
