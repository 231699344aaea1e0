// A device as its own process, to be stopped and killed: its port and its hello are its arguments.
import { dial } from './link-device.ts'

const [port, hello] = process.argv.slice(2)
const device = await dial(Number(port), JSON.parse(hello ?? '{}'))
console.log('in')
await device.closed
console.log('out')
