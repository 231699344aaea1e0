// Searches for devices in the network of an interface: node search-network.ts INTERFACE RANGE. Prints how many
// addresses were looked at.
import { Discovery } from '../../../hub/devices/discovery/discovery.ts'
import { addressesOf } from '../../../hub/devices/discovery/interfaces.ts'
import { until } from '../until.ts'

const [name, range = ''] = process.argv.slice(2)
const discovery = new Discovery({ allowLoopback: false, knownAddresses: () => new Set() })
const network = discovery.networks().find((each) => each.name === name)
const addresses = network && addressesOf(range, network)
if (!addresses || 'name' in addresses) throw new Error('The range is not in the network of the interface')
discovery.start(network, addresses)
await until(() => !discovery.isRunning, 'the search ends by itself')
console.log(`checked: ${discovery.state()?.checked}`)
