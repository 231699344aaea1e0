// Schemas of device/discovery.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST } from '../codes.ts'
import { emptyRequest, own, text } from '../fields.schema.ts'

/** An interface of the hub in whose network devices can be looked for. */
export const DiscoveryInterface = z.object({
  name: z.string().describe('Name of the interface'),
  address: z.string().describe('Its IPv4 address')
})

/** Something that answered a search. */
export const Discovered = z.object({
  address: z.string().meta(own('IPv4 address')),
  port: z.int().meta(own('Port at which it is added')),
  https: z.boolean().meta(own('Whether it is added with HTTPS')),
  kind: z
    .enum(['device', 'camera', 'server', 'ndi', 'other'])
    .meta(
      own(
        "`device`: one of the vendor's APIs; `camera`: ONVIF; `server`: a streaming server; `ndi`: an NDI source; `other`: cannot be added"
      )
    ),
  api: z.string().optional().meta(own('API that answered, as with devices')),
  name: z.string().optional().meta(own('Name that it announces; of an NDI source, that of the source')),
  model: z.string().optional().meta(own('Model, if it tells it without login')),
  serial: z.string().optional().meta(own('Serial number, if it tells it without login')),
  url: z.string().optional().meta(own('For an NDI source: the URL of an input')),
  picture: z.string().optional().meta(own('Picture of the model as a `data:` URL, if it has one')),
  by: z.array(z.enum(['mdns', 'ssdp', 'ws-discovery', 'range'])).meta(own('How it was found')),
  sn: z.string().optional().meta(own('Serial number of the device that was added with this address'))
})

export type DiscoveryInterface = z.infer<typeof DiscoveryInterface>
export type Discovered = z.infer<typeof Discovered>

export const discoverySchemas = {
  'POST /device/discover': {
    summary:
      'Looks for devices, cameras, streaming servers and NDI sources in the network of an interface: with multicast DNS, SSDP and WS-Discovery for 6 seconds, and at the addresses of a range. The search ends by itself, after two minutes at the latest, and sends no login.',
    operation: ['Look for devices', '查找设备'],
    request: z.object({
      interface: text.min(1).describe('name of an interface of the hub'),
      range: text
        .optional()
        .describe(
          'addresses as `192.0.2.10-192.0.2.20` or `192.0.2.0/24`, in the network of the interface, 1024 at most; default: none'
        )
    }),
    errors: {
      [INVALID_ARG]: 'with `field` = `range` and the bounds of the network',
      [NOT_EXIST]: 'unknown interface, or one without an IPv4 address',
      [IN_PROGRESS]: 'another search'
    },
    source: 'own',
    examples: [{ interface: 'eth0' }, { interface: 'eth0', range: '192.0.2.0/24' }]
  },
  'GET /device/discovered': {
    summary: 'State and results of the last search, and the interfaces of the hub.',
    request: emptyRequest,
    response: z.object({
      interfaces: z.array(DiscoveryInterface).meta(own('Interfaces in whose network devices can be looked for')),
      running: z.boolean().meta(own('Whether it is in progress')),
      interface: z.string().optional().meta(own('Interface of the last search')),
      checked: z.int().meta(own('Addresses of its range that were looked at')),
      total: z.int().meta(own('Addresses of its range')),
      list: z.array(Discovered).meta(own('What answered, by address; 1,000 at most'))
    }),
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
