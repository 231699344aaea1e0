// Searches for devices in the network of an interface: node search-network.ts INTERFACE RANGE [blocked]. Prints how
// many addresses of the range were looked at, and what was found. With `blocked`, the firewall of this machine opens no
// port.
import { kernelTables, tableText } from '../../../firewall/table.ts'
import { Discovery } from '../../../hub/devices/discovery/discovery.ts'
import { addressesOf } from '../../../hub/devices/discovery/interfaces.ts'
import { until } from '../until.ts'

const [name, range = '', firewall] = process.argv.slice(2)
if (firewall === 'blocked') await kernelTables.apply(tableText({ mode: 0, ranges: [] }, []))
const discovery = new Discovery({ allowLoopback: false, knownAddresses: () => new Set() })
const network = discovery.networks().find((each) => each.name === name)
const addresses = range === '' ? [] : network && addressesOf(range, network)
if (!network || !addresses || 'name' in addresses) throw new Error('The range is not in the network of the interface')
discovery.start(network, addresses)
await until(() => !discovery.isRunning, 'the search ends by itself')
const { checked, results } = discovery.state() ?? {}
console.log(`checked: ${checked}`)
const refused = firewall === 'blocked' ? (await kernelTables.read())?.counts.get('refused')?.[0] : undefined
if (range === '') console.log(JSON.stringify({ results, refused }))
