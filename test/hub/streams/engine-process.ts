// An engine in a process of its own, to be killed: one input and two outputs that all wait for a peer. A word is the path of the program
// for SRT in the place of ours.
import { createEngine } from '../../../hub/streams/engine.ts'
import { freeUdpPort, until } from './media.ts'

const engine = createEngine({
  outputHost: '127.0.0.1',
  ...(process.argv[2] && { srtProgram: process.argv[2] }),
  order: async () => {},
  endOrder: async () => {},
  play: async () => {},
  endPlay: async () => {},
  deviceOnline: () => true,
  changed() {},
  event() {}
})
const port = await freeUdpPort()
engine.apply({
  id: 1,
  name: 'Stage',
  enable: true,
  input: {
    id: 2,
    name: 'In',
    kind: 'url',
    url: {
      protocol: 2,
      scheme: 'srt',
      host: '127.0.0.1',
      port,
      path: '',
      srt: { mode: 'listener', latency: 120, streamId: '', passphrase: '' }
    }
  },
  outputs: [
    { id: 3, name: 'A', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } },
    { id: 4, name: 'B', protocol: 2, config: { mode: 'listener', 'bind-port': await freeUdpPort() } }
  ]
})
await until('three processes', () => engine.processes() === 3)
console.log('running')
