// Schemas of port-forward.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import {
  BAD_ADDRESS,
  CONN_REFUSED,
  NO_RESPONSE,
  NOT_EXIST,
  NOT_PERMITTED,
  PORT_OCCUPIED,
  TOO_MANY,
  WRONG_STATE
} from './codes.ts'
import { id, listOf, mark, own, page, port, serial, since } from './fields.schema.ts'
import { PORT_MAX } from './limits.ts'

export const PortForward = z.object({
  id: z.int().meta(own('Id of the port forward; it gets another one when it is started again')),
  sn: z.string().meta(own('Serial number of the device')),
  name: z.string().meta(own('Name of the device')),
  'local-port': z.int().meta(own('Port of the hub that is forwarded, 1-65535')),
  'remote-port': z.int().meta(own('Port of the device to which it is forwarded, 1-65535')),
  state: z
    .int()
    .meta(
      own(
        '0 `idle`: the device is offline and connections are refused; 1 `connected`; 2 `failed`: the last connection did not reach the port of the device'
      )
    ),
  trouble: z
    .number()
    .optional()
    .meta(own('With `failed`: result code. 44 the device refuses connections to the port; 10004, 47 no response')),
  'bytes-in': z.int().meta(own('Bytes sent to the device since the start')),
  'bytes-out': z.number().meta(own('Bytes received from the device since the start')),
  connections: z.number().meta(own('Number of open connections, at most 128')),
  since: z.int().meta(own('When it was started, in milliseconds since the epoch')),
  user: z.string().meta(own('Name of the user who started it'))
})

export type PortForward = z.infer<typeof PortForward>

export const portForwardSchemas = {
  'GET /portforward/list': {
    summary:
      "Lists the port forwards of devices that the caller may see. The revision of the topic `portforward` also increases with the counters, at most once per second. Requires DEVICE_ADV_CONTROL instead of DEVICE_CONTROL because a forwarded port reaches every service on the device, bypasses the relay's list of methods, and needs no sign-in.",
    request: z.object({ ...page, since, mark }),
    response: listOf(PortForward),
    responseNote: 'list of port forwards of visible devices',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, since: 0, mark: 'a-_9' }]
  },
  'POST /portforward/start': {
    summary:
      'Starts a port forward and returns it. For an offline device it connects as soon as the device is online. Of a device at an address that is online, the hub first connects to the port.',
    operation: ['Forward a port', '转发端口'],
    request: z.object({
      sn: serial,
      'local-port': z.int().min(0).max(PORT_MAX).optional().describe('0 or absent: chosen by the hub'),
      'remote-port': port
    }),
    response: z.object({
      forward: PortForward
    }),
    errors: {
      [NOT_EXIST]: '',
      [WRONG_STATE]: 'not accepted',
      [PORT_OCCUPIED]: '',
      [NOT_PERMITTED]: 'with `field` if the hub may not open the port',
      [TOO_MANY]: '64 port forwards',
      [CONN_REFUSED]: 'with the field `remote-port`: the device at an address refuses connections to the port',
      [NO_RESPONSE]: 'with the field `remote-port`: it does not respond',
      [BAD_ADDRESS]: 'with the field `remote-port`: a port of the hub itself'
    },
    source: 'own',
    examples: [
      { sn: 'B313210600123', 'remote-port': 80 },
      { sn: 'B313210600123', 'local-port': 65535, 'remote-port': 1 }
    ]
  },
  'POST /portforward/stop': {
    summary: 'Stops a port forward and closes its connections.',
    operation: ['Stop forwarding a port', '停止端口转发'],
    request: z.union([z.object({ id }), z.object({ sn: serial, 'local-port': port, 'remote-port': port.optional() })]),
    requestNote: 'or `sn`, `local-port` and optionally `remote-port`',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { sn: 'B313210600123', 'local-port': 8080 }]
  }
} satisfies CallSchemas
