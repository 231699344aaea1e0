// A device as a separate process, which tests can stop and kill. Arguments: the hub's link port and the hello message
// as JSON.
import { connectLinkDevice } from './link-device.ts'

const [port, hello] = process.argv.slice(2)
const device = await connectLinkDevice(Number(port), JSON.parse(hello ?? '{}'))
console.log('in')
await device.closed
console.log('out')
