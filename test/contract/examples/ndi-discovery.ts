// Settings of NDI discovery with a value in every field.
import type { NdiDiscoverySettings } from '../../../contract/ndi/settings.ts'

export const NDI_DISCOVERY: NdiDiscoverySettings = {
  enable: true,
  servers: [
    { address: '192.0.2.5', port: 5959 },
    { address: 'ndi.example.com', port: 1 }
  ],
  'send-groups': 'Public,演播室',
  'recv-groups': '',
  'extra-ips': ['192.0.2.6', 'cam.example.com'],
  'machine-name': 'Studio 1',
  ifaces: ['eth0', '192.0.2.7']
}
